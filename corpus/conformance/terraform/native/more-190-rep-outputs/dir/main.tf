variable "s" {
  default = "a"
}
variable "l" {
  type = list(string)
  default = ["a"]
}
variable "m" {
  type = map(string)
  default = {"a" = "b"}
}
variable "o" {
  type = object({x = list(object({y = string}))})
  default = {"x" = [{"y" = "z"}]}
}
variable "b" {
  type = bool
  default = true
}
variable "n" {
  default = 0
}
locals {
  k = 1
  lo = [{"a" = 1}]
}
output "a" {
  value = 1
  sensitive = true
}
output "b" {
  value = 1
  sensitive = false
}
output "c" {
  value = 1
  description = ""
}
output "d" {
  value = 1
  description = "D <&>"
}
output "e" {
  value = var.s
  depends_on = [terraform_data.a, module.m, terraform_data.c, data.terraform_remote_state.d]
}
output "f" {
  value = 1
  depends_on = []
}
output "g" {
  value = 1
  sensitive = "true"
  description = 5
}
output "h" {
  value = 1
  ephemeral = false
}
output "i" {
  value = 1
  precondition {
    condition = var.b
    error_message = "M."
  }
}
resource "terraform_data" "a" {
}
resource "terraform_data" "c" {
  count = 1
}
module "m" {
  source = "./m"
}
data "terraform_remote_state" "d" {
  backend = "local"
  config = {"path" = "s.tfstate"}
}
