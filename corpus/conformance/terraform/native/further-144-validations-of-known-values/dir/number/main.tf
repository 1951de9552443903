locals {
  most = 20
}
variable "b" {
}
variable "a" {
  type = number
  validation {
    condition = var.a > local.most
    error_message = "It is ${var.a}."
  }
  validation {
    condition = var.a != var.b
    error_message = "Both are one."
  }
}
