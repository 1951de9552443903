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
resource "terraform_data" "a" {
  input = var.s
  count = 2
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "b" {
  input = 1
}
output "o" {
  value = var.s
  sensitive = true
}
module "m" {
  source = "./m"
  v = 1
}
