variable "a" {
  default = 2
  validation {
    condition = var.a > 1
    error_message = "m"
  }
}
