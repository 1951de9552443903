locals {
  l = 1
}
module "m" {
  source = "./m"
  depends_on = [local.l]
}
