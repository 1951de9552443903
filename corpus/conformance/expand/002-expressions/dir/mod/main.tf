variable "name" { type = string }
variable "cfg" { type = any }
variable "extra" { 
  type = string
  default = null 
}
module "inner" {
  source = "./inner"
  x = "${var.name}:${var.extra == null ? "null" : "set"}"
}
resource "terraform_data" "r" {
  count = var.extra == null ? 1 : 1
  input = [module.inner.y, path.module]
}
output "name" { value = var.name }
output "cfg" { value = var.cfg }
output "inner" { value = module.inner }
