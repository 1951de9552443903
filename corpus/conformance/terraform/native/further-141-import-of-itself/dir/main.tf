resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  for_each = toset(["a"])
}
resource "terraform_data" "c" {
}
import {
  to = terraform_data.a
  id = terraform_data.a.id
}
import {
  for_each = terraform_data.b
  to = terraform_data.b[each.key]
  id = "x"
}
import {
  to = terraform_data.c
  id = terraform_data.a.id
}
