terraform {
  required_version = ">= 0.12"
}
terraform {
  required_version = 1
}
terraform {
  required_version = "x"
}
terraform {
  required_version = null
}
terraform {
  required_version = "~> 1.0, < 2"
}
terraform {
  required_version = ""
}
terraform {
  required_version = "$${x}"
}
terraform {
  required_version = "= 1.2.3"
}
terraform {
  required_version = ["1"]
}
