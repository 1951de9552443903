terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
variable "a" {
  default = null
}
output "out" {
  value = var.a
}
