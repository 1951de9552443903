locals {
  l0 = "one\ntwo"
}

locals {
  l5 = ["x"]
}

locals {
  l6 = { for k, v in { for k, v in module.m4.o4 : k => v if v != strrev(terraform_data.r2.id) } : upper(k) => v }
}

module "m3" {
  source = "./m3"
  for_each = toset(["a", "b"])

  v1 = { a = "1", b = 2 }
  v2 = { a = "1", b = 2 }
  v3 = [1, 2]
  v4 = [{ a = "1" }, { a = "2", b = false }]
}

module "m4" {
  source = "./m4"

  v0 = setsubtract(module.m3["a"].o4, module.m3["a"].o4)
  v1 = [{ a = "1" }, { a = "2", b = false }]
  v2 = [1, 2, 3]
  v3 = { a = [3, 1, 1] }
}

output "o0" {
  value = module.m4.o4
  sensitive = true
}

output "o1" {
  value = module.m3["a"].o0
  sensitive = true
}

resource "terraform_data" "r1" {
  input = setunion(toset(["a", "c"]), [local.l0])
  triggers_replace = merge({ a = try(var.v4, null) }, { b = setunion([var.v3], [-(3), var.v3 - var.v3]) })
}

resource "terraform_data" "r2" {
  input = yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n")
}

variable "v0" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v1" {
  type = tuple([string, number])
  default = ["a", "1"]
  nullable = false
}

variable "v2" {
  type = map(any)
  default = { a = 1, b = "x" }
  nullable = false
}

variable "v3" {
  type = number
  default = 5
  nullable = false
}

variable "v4" {
  type = tuple([string, number])
  default = ["a", "1"]
}
