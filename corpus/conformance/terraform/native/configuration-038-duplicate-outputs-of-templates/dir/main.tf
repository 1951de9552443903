variable "a" {
  default = "k"
}
output "o" {
  value = {"${var.a}1" = 1, "k2" = 2, "${var.a}" = var.a}
}
