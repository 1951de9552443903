module "a" {
  source = "./m"
  source = "./m"
  v = 1
  v = 2
  providers = {}
  providers = {}
  version = null
  version = null
}
module "a" {
  source = "./m"
}
