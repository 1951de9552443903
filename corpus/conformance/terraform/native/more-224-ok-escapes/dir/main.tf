variable "a" {
  type = string
  default = "é"
}
output "o" {
  value = var.a
}
