variable "a" {
  type = number
  default = 1
  validation {
    condition = var.a > 0
    error_message = "M ${var.a}."
  }
  validation {
    condition = var.a < 9 || var.b
    error_message = "x"
  }
}
variable "b" {
  default = true
}
resource "terraform_data" "r" {
  lifecycle {
    precondition {
      condition = var.a != 1
      error_message = var.a
    }
    postcondition {
      condition = self.id != ""
      error_message = "m"
    }
  }
}
