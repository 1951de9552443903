variable "l" {
  type = list(string)
  default = []
}
variable "s" {
  type = string
  default = "a"
}
variable "n" {
  default = 1
}
locals {
  o = {"k" = var.s}
  t = [var.n]
  chain = local.o
  later = local.chain.k
}
module "a" {
  source = "./m"
  m = var.s
}
module "b" {
  source = "./m"
  m = local.o
}
module "c" {
  source = "./m"
  m = local.chain
  s = local.later
}
module "d" {
  source = "./m"
  m = {}
  s = local.chain
}
module "e" {
  source = "./m"
  m = {}
  s = var.n
}
module "f" {
  source = "./m"
  m = var.l
}
output "o" {
  value = local.chain.gone
}
output "p" {
  value = local.t[0]
}
output "q" {
  value = local.later
}
