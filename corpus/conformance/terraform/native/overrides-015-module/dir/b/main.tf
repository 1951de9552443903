terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
variable "p" {
}
variable "q" {
}
variable "r" {
  default = null
}
