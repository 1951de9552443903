variable "a" {
  default = "no"
  validation {
    condition = var.a != "no"
    error_message = "It is no."
  }
}
locals {
  no = "no"
}
module "text" {
  source = "./child"
  a = "no"
}
module "local" {
  source = "./child"
  a = local.no
}
module "function" {
  source = "./child"
  a = lower("NO")
  count = 2
}
module "default" {
  source = "./child"
}
module "variable" {
  source = "./child"
  a = var.a
}
module "right" {
  source = "./child"
  a = "yes"
}
module "number" {
  source = "./number"
  a = "12"
  b = 12
}
