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
output "a" {
  value = {"${var.s}" = [local.k, {"b" = var.n, "${local.k}x" = null}], "n" = 1.50, "t" = true, "e" = [], "f" = {}}
}
output "b" {
  value = null
}
output "c" {
  value = []
}
output "d" {
  value = {}
}
output "e" {
  value = false
}
output "f" {
  value = 0
}
output "g" {
  value = 1e3
}
output "h" {
  value = 12345678901234567890.123456789
}
output "i" {
  value = -0
}
output "j" {
  value = 1e-7
}
output "k" {
  value = 100000000000000000000000
}
