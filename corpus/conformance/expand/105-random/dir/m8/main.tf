locals {
  l0 = fileset(path.module, "**/*.txt")
}

locals {
  l2 = "b"
}

locals {
  l4 = tonumber("12.5")
}

locals {
  l5 = module.m1[0].o0
}

locals {
  l6 = local.l5
}

locals {
  l7 = abs(local.l4)
}

module "m1" {
  source = "./m1"
  count = 2

  v1 = jsondecode("[1, 2.50]")[1]
  v3 = [{ a = "1" }, { a = "2", b = false }]
}

output "o0" {
  value = yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n")
}

output "o1" {
  value = tomap({})
}

output "o2" {
  value = fileset(path.module, "**/*.txt")
}

output "o3" {
  value = abs(local.l7)
}

output "o4" {
  value = terraform_data.r3[*].id
  sensitive = true
}

output "o5" {
  value = range(1, 10, jsondecode("[1, 2.50]")[1] == 0 ? 1 : 4)
}

output "o6" {
  value = sensitive(tomap({ a = uuidv5("dns", "a.b"), k1 = cidrnetmask("10.0.0.0/12") }))
  sensitive = true
}

output "o7" {
  value = var.v1
}

resource "terraform_data" "r3" {
  count = length(concat(["a", "b"], ["a", "b"])) > 1 ? 2 : 1
  input = var.v0
}

variable "v0" {
  type = map(any)
  sensitive = true
}

variable "v1" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "p", n = 4, l = ["x"], extra = 1 }
}
