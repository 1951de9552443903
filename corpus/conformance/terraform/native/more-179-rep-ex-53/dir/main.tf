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
module "m" {
  source = "./m"
}
module "mc" {
  source = "./m"
  count = 2
}
module "mf" {
  source = "./m"
  for_each = {"a" = 1}
}
data "terraform_remote_state" "d" {
  backend = "local"
  config = {"path" = "s.tfstate"}
}
resource "terraform_data" "a" {
}
resource "terraform_data" "c" {
  count = 2
}
resource "terraform_data" "f" {
  for_each = {"k" = 1, "a.b" = 2}
}
output "o" {
  value = "%%{ if x }"
}
output "p" {
  value = ["%%{ if x }", {"k" = "%%{ if x }"}]
}
