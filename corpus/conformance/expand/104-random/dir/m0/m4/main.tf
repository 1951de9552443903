locals {
  l1 = one([sum(tolist([2.5]))])
}

locals {
  l2 = [local.l1]
}

locals {
  l3 = setunion(toset(["a", "c"]), toset(reverse(["x"])))
}

locals {
  l4 = index(["a", "b"], "b")
}

locals {
  l5 = { s = terraform_data.r0.id, n = local.l1, l = tolist(var.v1), m = tomap({ a = lookup(tomap({ a = "x" }), tostring(10), timestamp()) }) }
}

locals {
  l6 = local.l5
}

locals {
  l7 = pow(2, 10)
}

output "o0" {
  value = local.l6
}

output "o1" {
  value = fileexists("${path.module}/nope")
}

output "o2" {
  value = { (nonsensitive(sensitive(try(["x"][5], "b")))) = terraform_data.r0.id, a = substr(try(tomap({ a = "x" }).nope, "z"), -2, -1) }
  sensitive = true
}

resource "terraform_data" "r0" {
  input = ["10.0.0.0/16", 1e3 * 1 / 4, true]
}

variable "v0" {
  type = any
  sensitive = true
}

variable "v1" {
  type = list(string)
}

variable "v2" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v3" {
  type = any
  default = { a = ["x"] }
}
