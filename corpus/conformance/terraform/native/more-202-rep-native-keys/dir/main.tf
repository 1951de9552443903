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
  value = {"a b" = var.s, "" = 1, "é" = 2, "$${x}" = 3}
}
