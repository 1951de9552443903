module "a" {
  depends_on = [module.b]
}
locals {
  l = 2
  m = 3
}
