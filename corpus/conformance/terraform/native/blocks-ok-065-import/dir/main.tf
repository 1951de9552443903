locals {
  i = 0
  ids = {"a" = "1"}
}
resource "terraform_data" "one" {
}
resource "terraform_data" "two" {
  count = 1
}
resource "terraform_data" "three" {
  for_each = {"a" = 1}
}
resource "terraform_data" "four" {
  provider = terraform.x
}
provider "terraform" {
  alias = "x"
}
import {
  to = terraform_data.one
  id = "x"
}
import {
  to = terraform_data.two[0]
  id = local.i
}
import {
  to = terraform_data.three[each.key]
  id = each.value
  for_each = local.ids
}
import {
  to = terraform_data.four
  id = "y"
  provider = terraform.x
}
