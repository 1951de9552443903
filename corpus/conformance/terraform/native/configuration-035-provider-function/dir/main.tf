terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
variable "v" {
  default = {"a" = 1}
}
output "o" {
  value = provider::terraform::encode_expr(var.v)
}
output "p" {
  value = core::upper("a")
}
