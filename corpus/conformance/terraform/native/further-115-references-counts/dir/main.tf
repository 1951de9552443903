resource "terraform_data" "a" {
  count = 1
  input = count.index
}
resource "terraform_data" "b" {
  for_each = {"x" = 1}
  input = "${each.key}${each.value}"
}
resource "terraform_data" "c" {
  count = 1
  input = each.key
}
resource "terraform_data" "d" {
  for_each = {}
  input = count.index
}
resource "terraform_data" "e" {
  input = each.value
}
resource "terraform_data" "f" {
  input = count.index
}
resource "terraform_data" "g" {
  input = self.id
}
resource "terraform_data" "h" {
  provisioner "local-exec" {
    command = self.id
  }
}
module "m" {
  source = "./m"
  for_each = {"a" = 1}
  x = each.key
}
module "n" {
  source = "./m"
  x = each.key
}
module "o" {
  source = "./m"
  count = 1
  x = count.index
}
locals {
  l = each.key
}
