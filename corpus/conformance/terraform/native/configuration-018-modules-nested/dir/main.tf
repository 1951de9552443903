variable "root" {
  default = "r"
}
module "a" {
  source = "./a"
  in = var.root
}
output "o" {
  value = module.a.out
}
