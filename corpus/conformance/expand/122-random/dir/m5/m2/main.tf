locals {
  l1 = terraform_data.r0["a"].output
}

locals {
  l2 = false
}

locals {
  l5 = [for i, x in values(tomap({ a = "x" })) : i]
}

locals {
  l6 = { s = coalesce(terraform_data.r3.id, terraform_data.r4[0].id), n = length(setunion(toset(["a", "c"]), toset(["a", "c"]))), l = var.v0.l, m = { a = "1", b = "2" } }
}

locals {
  l7 = uuid()
}

locals {
  l8 = local.l6
}

output "o0" {
  value = terraform_data.r3.input
}

output "o1" {
  value = keys(terraform_data.r0)
}

output "o2" {
  value = contains(keys(true ? tomap({ a = "x" }) : tomap({ a = "x" })), trimspace(local.l7))
}

output "o3" {
  value = keys(terraform_data.r0)
}

output "o4" {
  value = tobool("true")
}

output "o5" {
  value = var.v4
}

output "o6" {
  value = try(tobool(uuid()), local.l2)
}

output "o7" {
  value = true
}

resource "terraform_data" "r0" {
  for_each = toset(["a", "b"])
  input = csvdecode("a,b\n1,2\n3,4")
}

resource "terraform_data" "r3" {
  input = { for k in var.v3 : k => length(k)... }
}

resource "terraform_data" "r4" {
  count = length(var.v3) > 1 ? 2 : 1
  input = try(yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n"), null)
}

variable "v0" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
}

variable "v1" {
  type = number
}

variable "v2" {
  type = tuple([string, number])
  default = ["a", "1"]
  sensitive = true
}

variable "v3" {
  type = list(string)
  default = ["a", "b"]
  nullable = false
}

variable "v4" {
  type = list(number)
}
