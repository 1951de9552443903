variable "a" {
  default = null
}
output "o" {
  value = var.a
}
