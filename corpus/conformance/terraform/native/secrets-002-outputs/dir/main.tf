terraform {
  backend "local" {
  }
}
variable "s" {
  sensitive = true
  default = "a"
}
variable "e" {
  ephemeral = true
  default = "a"
}
locals {
  s = ["x${var.s}"]
  e = {"k" = var.e}
}
output "a" {
  value = var.s
}
output "b" {
  value = {"k" = local.s}
}
output "c" {
  value = local.s[0]
  sensitive = true
}
output "d" {
  value = nonsensitive(var.s)
}
output "e" {
  value = var.e
}
output "f" {
  value = [local.e.k]
}
output "g" {
  value = ephemeralasnull(var.e)
}
output "h" {
  value = sensitive("a")
}
