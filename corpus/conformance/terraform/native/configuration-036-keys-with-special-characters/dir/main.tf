variable "m" {
  default = {"a\"b" = 1, "é" = 2, "x.y" = 3, "t\tb" = 4, "$${q}" = 5, "back\\s" = 6}
}
output "a" {
  value = var.m["a\"b"]
}
output "b" {
  value = var.m["é"]
}
output "c" {
  value = var.m["x.y"]
}
output "d" {
  value = var.m["t\tb"]
}
output "e" {
  value = var.m["$${q}"]
}
output "f" {
  value = var.m["back\\s"]
}
resource "terraform_data" "f" {
  for_each = var.m
}
resource "terraform_data" "r" {
  input = [terraform_data.f["a\"b"].id, terraform_data.f["é"].id, terraform_data.f["$${q}"].id, terraform_data.f["t\tb"].id]
}
