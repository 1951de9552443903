module "a" {
  source = "./m"
}
locals {
  l = 1
}
