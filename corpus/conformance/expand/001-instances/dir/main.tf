variable "names" {
  type = map(object({ size = optional(number, 3), tag = optional(string) }))
  default = { a = {}, b = { size = 4 } }
}
variable "secret" {
  type = string
  default = "s3"
  sensitive = true
}
variable "nulled" { default = null }
locals {
  x = { for k, v in var.names : k => v.size * 2 }
}
resource "terraform_data" "each" {
  for_each = var.names
  input = { k = each.key, v = each.value, s = var.secret, u = terraform_data.one.id, n = null }
  triggers_replace = [terraform_data.one.output, each.key]
}
resource "terraform_data" "one" {
  input = "hello ${local.x["a"]}"
}
resource "terraform_data" "none" { }
resource "terraform_data" "count" {
  count = 2
  input = [count.index, terraform_data.each["a"].output, terraform_data.each["a"].input.k, terraform_data.one.input]
}
resource "terraform_data" "unk" {
  for_each = toset(["p", "q"])
  input = "x${terraform_data.one.id}"
}
module "m" {
  source = "./m"
  for_each = { x = 1, y = 2 }
  v = each.value
  w = terraform_data.one.id
}
module "c" {
  source = "./m"
  count = 2
  v = count.index
  w = var.secret
}
output "o" { value = module.m["x"].out }
output "p" { value = module.m }
output "s" { 
  value = [var.secret, 1] 
  sensitive = true
}
output "q" { value = terraform_data.each["a"].input.k }
output "z" { value = terraform_data.count[*].input }
output "n" { value = var.nulled }
output "w" { value = terraform_data.one }
