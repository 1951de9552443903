module "c" {
  source = "./m"
  ignore_nested_deprecations = true
}
