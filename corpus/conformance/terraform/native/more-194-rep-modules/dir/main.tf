variable "s" {
  default = "a"
}
variable "l" {
  type = list(string)
  default = ["a"]
}
variable "m" {
  type = map(string)
  default = {"a" = "b"}
}
variable "o" {
  type = object({x = list(object({y = string}))})
  default = {"x" = [{"y" = "z"}]}
}
variable "b" {
  type = bool
  default = true
}
variable "n" {
  default = 0
}
locals {
  k = 1
  lo = [{"a" = 1}]
}
module "a" {
  source = "./m"
  v = var.s
  w = {"x" = [local.k]}
}
module "b" {
  source = "./m"
  count = var.n
  v = count.index
}
module "c" {
  source = "./m"
  for_each = var.m
  v = each.value
  depends_on = [module.a, terraform_data.t]
}
module "d" {
  source = "./m"
  _ {
    v = 5
  }
}
module "e" {
  source = "./m"
  v = null
}
module "f" {
  source = "./m/../m"
}
module "g" {
  source = "./n"
}
module "h" {
  source = "./m/"
}
resource "terraform_data" "t" {
}
