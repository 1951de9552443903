variable "o" {
  default = {"a" = {"b" = [1, 2]}, "k y" = 1}
}
variable "l" {
  default = [[1], [2]]
}
locals {
  m = {"x" = {"y" = 1}}
}
output "a" {
  value = var.o.a.b[1]
}
output "b" {
  value = var.o["k y"]
}
output "c" {
  value = var.l[0][0]
}
output "d" {
  value = local.m.x["y"]
}
output "e" {
  value = "${path.module}/${path.root}/${path.cwd}"
}
output "f" {
  value = terraform.workspace
}
output "g" {
  value = var.o.a.b.0
}
output "h" {
  value = var.l[var.o.a.b[0]][0]
}
