variable "xxabc" {
  default = 1
}
locals {
  foobar = 1
}
resource "terraform_data" "abcde" {
  count = 1
}
resource "terraform_data" "two" {
}
data "terraform_remote_state" "ddd" {
  backend = "local"
}
output "a" {
  value = var.xxabd
}
output "b" {
  value = local.foobat
}
output "c" {
  value = terraform_data.abcdf.id
}
output "d" {
  value = terraform_remote_state.ddd.outputs
}
output "e" {
  value = module.modnam.o
}
output "f" {
  value = data.terraform_remote_state.dde
}
output "g" {
  value = ephemeral.a.b
}
output "h" {
  value = list.a.b
}
output "i" {
  value = string.a.b
}
output "j" {
  value = resource.a.b[0].c
}
output "k" {
  value = tofu.workspace
}
output "l" {
  value = action.a
}
output "m" {
  value = action.a.b
}
