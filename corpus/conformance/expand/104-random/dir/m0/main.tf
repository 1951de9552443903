locals {
  l1 = merge({ a = "1", b = "2" }, { a = "1", b = "2" })
}

locals {
  l5 = setunion([signum(var.v3)], [length([for x in ["a", "b"] : x if x != "a"]) + var.v3, var.v3])
}

locals {
  l7 = { s = terraform_data.r2.id, n = var.v3, l = sort(split(",", terraform_data.r6.id)), m = local.l1 }
}

locals {
  l8 = terraform_data.r6.id
}

module "m0" {
  source = "./m0"

  v0 = var.v3 / 4
  v2 = ["b", "a", "b"]
  v3 = var.v3 + ceil(12345678901234567890)
}

module "m4" {
  source = "./m4"

  v0 = null
  v1 = keys(terraform_data.r3)
  v2 = ["a", "1"]
}

output "o0" {
  value = length(terraform_data.r2.id)
}

output "o1" {
  value = values(try(local.l1, {}))
}

output "o2" {
  value = local.l1
}

output "o3" {
  value = tolist([length({ for x in toset(["a", "b"]) : x => terraform_data.r3["a"].id })])
}

output "o4" {
  value = strcontains(terraform_data.r2.id, terraform_data.r2.id)
}

resource "terraform_data" "r2" {
  input = transpose({ a = values({ for x in toset(["a", "b"]) : x => "é" }) })
}

resource "terraform_data" "r3" {
  for_each = { a = cidrsubnet("10.0.0.0/8", 8, 3), b = { a = "1", b = "2" }["a"] }
  input = var.v4
}

resource "terraform_data" "r6" {
  input = module.m4.o0
}

variable "v0" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
}

variable "v1" {
  type = bool
  default = true
  nullable = false
}

variable "v2" {
  type = set(string)
  default = ["b", "a", "b"]
  nullable = false
}

variable "v3" {
  type = number
  default = 5
}

variable "v4" {
  type = tuple([string, number])
  default = ["a", "1"]
}
