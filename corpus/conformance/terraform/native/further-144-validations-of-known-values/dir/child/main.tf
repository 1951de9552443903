variable "a" {
  default = "no"
  validation {
    condition = var.a != "no"
    error_message = "It is no."
  }
}
