module "a" {
  source = "./n"
  x = 2
  providers = {}
}
module "b" {
  source = "./m"
}
