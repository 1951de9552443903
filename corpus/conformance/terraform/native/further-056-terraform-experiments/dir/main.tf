terraform {
  experiments = "x"
}
terraform {
  experiments = [5]
}
terraform {
  experiments = ["a b", "provider_meta", "module_variable_optional_attrs"]
}
