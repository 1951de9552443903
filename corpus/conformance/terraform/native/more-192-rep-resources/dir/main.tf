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
resource "terraform_data" "z" {
  input = 1
}
resource "terraform_data" "a" {
  input = var.s
  triggers_replace = [var.n]
  count = var.n
  depends_on = [terraform_data.z]
}
resource "terraform_data" "a1" {
  for_each = toset(var.l)
  input = "${each.key}${each.value}"
}
resource "terraform_data" "b" {
  count = 1
  input = count.index
}
resource "terraform_data" "c" {
  for_each = {"x" = var.s}
}
resource "terraform_data" "d" {
  lifecycle {
    prevent_destroy = false
    create_before_destroy = true
    ignore_changes = [input]
    replace_triggered_by = [terraform_data.z]
  }
  input = null
}
resource "terraform_data" "e" {
  _ {
    input = 5
  }
}
resource "terraform_data" "f" {
  input = {"//" = 1, "a" = {"//" = 2}}
}
resource "terraform_data" "g" {
  input = [{}]
}
resource "terraform_data" "h" {
  count = 0
}
resource "terraform_data" "i" {
  for_each = {}
}
data "terraform_remote_state" "q" {
  backend = "local"
  config = {"path" = "${var.s}.tfstate"}
  count = 0
}
data "terraform_remote_state" "a" {
  backend = "local"
  count = 0
  workspace = null
  defaults = {"x" = var.n}
}
