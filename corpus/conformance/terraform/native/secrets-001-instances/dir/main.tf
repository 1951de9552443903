variable "s" {
  sensitive = true
  default = ["a"]
}
variable "e" {
  ephemeral = true
  default = ["a"]
}
variable "n" {
  ephemeral = true
  default = 1
}
variable "m" {
  sensitive = true
  default = 1
}
locals {
  s = toset(var.s)
  t = local.s
  e = {"k" = var.e}
}
resource "terraform_data" "a" {
  for_each = toset(var.s)
}
resource "terraform_data" "b" {
  for_each = local.t
}
resource "terraform_data" "c" {
  for_each = toset(var.e)
}
resource "terraform_data" "d" {
  for_each = local.e
}
resource "terraform_data" "e" {
  count = var.n
}
resource "terraform_data" "f" {
  count = var.m
}
resource "terraform_data" "g" {
  for_each = toset(nonsensitive(var.s))
}
resource "terraform_data" "h" {
  count = var.n + 1
}
