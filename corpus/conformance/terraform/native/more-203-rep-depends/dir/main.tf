resource "terraform_data" "a" {
}
resource "terraform_data" "c" {
  count = 1
}
resource "terraform_data" "b" {
  depends_on = [terraform_data.a, terraform_data.c, data.terraform_remote_state.d, module.m, module.m, var.v, local.l, path.module, terraform.workspace]
}
data "terraform_remote_state" "d" {
  backend = "local"
  config = {"path" = "s.tfstate"}
  depends_on = [terraform_data.a]
}
module "m" {
  source = "./m"
  depends_on = [terraform_data.a]
}
variable "v" {
  default = 1
}
locals {
  l = 1
}
