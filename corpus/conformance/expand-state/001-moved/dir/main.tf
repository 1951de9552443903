moved {
  from = terraform_data.a
  to   = terraform_data.a2
}
moved {
  from = terraform_data.a2
  to   = terraform_data.a3["k"]
}
resource "terraform_data" "a3" {
  for_each = toset(["k"])
  input    = "a"
}
moved {
  from = terraform_data.b[1]
  to   = terraform_data.b["one"]
}
resource "terraform_data" "b" {
  for_each = { one = 1, two = 2 }
  input    = each.value
}
resource "terraform_data" "plain" {
  count = 1
  input = 1
}
resource "terraform_data" "one" { input = 2 }
moved {
  from = module.m
  to   = module.n
}
module "n" {
  source = "./m"
  count  = 2
}
moved {
  from = module.x
  to   = module.y["z"]
}
module "y" {
  source   = "./m"
  for_each = toset(["z"])
}
moved {
  from = terraform_data.taken
  to   = terraform_data.taken2
}
resource "terraform_data" "taken2" { input = 4 }
removed {
  from = terraform_data.gone
  lifecycle { destroy = false }
}
import {
  for_each = { "a" = "id-a", "b$${" = "id-b" }
  to       = terraform_data.imp[each.key]
  id       = "x-${each.value}"
}
resource "terraform_data" "imp" {
  for_each = toset(["a", "b$${", "c"])
  input    = each.key
}
import {
  to = module.y["z"].terraform_data.fresh
  id = "fr"
}
output "ids" { value = [terraform_data.a3["k"].id, module.y["z"].id, terraform_data.plain[0].id, terraform_data.imp["a"].id] }
