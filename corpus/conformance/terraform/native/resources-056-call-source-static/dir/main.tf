variable "c" {
  const = true
  default = "./m"
}
variable "v" {
  default = "./m"
}
locals {
  l = "./m"
}
module "a" {
  source = var.c
}
module "b" {
  source = var.v
}
module "d" {
  source = terraform.workspace
}
module "e" {
  source = each.key
}
module "f" {
  source = local.l
}
module "g" {
  source = terraform_data.x.id
}
