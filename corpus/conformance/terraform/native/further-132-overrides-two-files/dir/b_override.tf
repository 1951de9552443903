locals {
  a = 3
}
variable "v" {
  description = "x"
}
output "o" {
  value = var.v
}
