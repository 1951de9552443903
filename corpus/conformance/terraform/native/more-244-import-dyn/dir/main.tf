locals {
  i = 0
}
resource "terraform_data" "ok" {
}
resource "terraform_data" "c" {
  count = 2
}
resource "terraform_data" "f" {
  for_each = {"a" = 1}
}
import {
  to = terraform_data.ok[local.i]
  id = "x"
}
