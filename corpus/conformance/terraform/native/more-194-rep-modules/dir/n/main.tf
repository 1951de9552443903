module "x" {
  source = "./y"
  z = module.w.o
}
module "w" {
  source = "../m"
}
output "q" {
  value = module.x.r
  sensitive = true
}
locals {
  a = 1
}
