variable "a" {
  description = 1.0
  default = 1
}
variable "b" {
  description = 1e21
  default = 1
}
variable "c" {
  description = -0.50
  default = 1
}
variable "d" {
  description = true
  default = 1
}
output "o" {
  value = [var.a, var.b, var.c, var.d]
  description = 10e-1
}
