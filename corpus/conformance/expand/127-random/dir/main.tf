locals {
  l1 = tomap({ a = tolist(toset(["a", "c"]))[0], k1 = terraform_data.r0["a"].id })
}

locals {
  l3 = { s = terraform_data.r0["a"].id, n = 2, l = tolist([for x in keys(terraform_data.r0) : upper(x)]), m = tomap({ a = jsondecode(jsonencode(terraform_data.r2.id)) }) }
}

output "o0" {
  value = var.v0
}

output "o1" {
  value = local.l1
}

output "o2" {
  value = sensitive(element(reverse([1, 2, 3]), 2))
  sensitive = true
}

output "o3" {
  value = fileset(path.module, "**/*.txt")
}

resource "terraform_data" "r0" {
  for_each = { a = trim(ephemeralasnull("é"), { s = "s", n = 1, l = ["l"], m = { a = "m" } }.s), b = "db" }
  input = var.v0
}

resource "terraform_data" "r2" {
  input = var.v1
  triggers_replace = sensitive(terraform_data.r0["a"].output)
}

resource "terraform_data" "r4" {
  count = 3
  input = jsondecode("{\"a\":[1,null,{\"b\":true}]}")
  triggers_replace = false ? fileset(path.module, "**/*.txt") : fileset(path.module, "**/*.txt")
}

resource "terraform_data" "r5" {
  input = { x = 2.5, y = [path.module, null] }
}

variable "v0" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v1" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
}
