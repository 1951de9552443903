variable "a" {
  default = null
}
output "out" {
  value = var.a
}
