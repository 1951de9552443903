variable "e" {
  ephemeral = true
  default = "a"
}
variable "s" {
  sensitive = true
  default = "a"
}
locals {
  e = [var.e]
}
resource "terraform_data" "a" {
  input = var.e
}
resource "terraform_data" "b" {
  input = {"k" = local.e[0]}
  triggers_replace = var.s
}
resource "terraform_data" "c" {
  input = ephemeralasnull(var.e)
  provisioner "local-exec" {
    command = "echo ${var.e}"
  }
}
resource "terraform_data" "d" {
  triggers_replace = ["x${var.e}"]
}
data "terraform_remote_state" "d" {
  backend = "local"
  config = {"path" = var.e}
}
provider "test" {
  token = var.e
}
