variable "a" {
  default = 1
  default = 2
  type = any
  type = any
  validation {
  }
  validation {
  }
}
variable "a" {
}
output "o" {
  value = 1
  value = 2
  precondition {
    condition = var.a
    error_message = "M."
  }
  precondition {
    condition = var.a
    error_message = "M."
  }
}
locals {
  x = 1
  x = 2
}
variable "b" {
}
