locals {
  l0 = var.v0
}

locals {
  l5 = sha256(module.m2.o6 ? module.m4.o5 : module.m4.o5)
}

locals {
  l6 = module.m2.o0
}

module "m2" {
  source = "./m2"

  v1 = 5
  v2 = { for i, x in var.v2 : "k${i}" => x }
  v3 = toset(terraform_data.r1[*].id)
  v4 = endswith(lookup(tomap({ a = "x" }), terraform_data.r1[0].id, " pad "), terraform_data.r1[0].id)
}

module "m4" {
  source = "./m4"

  v0 = 5
  v1 = urlencode(uuidv5("dns", "A_b-C"))
  v2 = { a = [3, 1, 1] }
  v3 = values(module.m2.o5 ? tomap({ a = "x" }) : { a = "1", b = "2" })
  v4 = [{ a = "1" }, { a = "2", b = false }]
}

output "o0" {
  value = reverse([setunion([min(0.1, module.m4.o2, module.m2.o3)], [length(module.m4.o4 == null ? [] : [1]), module.m4.o2]), try(module.m4.o0 ? tomap({ a = "x" }) : { a = "1", b = "2" }.nope, local.l6)])
  sensitive = true
}

output "o1" {
  value = coalesce(length(chunklist(["a", "b"], 2) == null ? [] : [1]), lookup({ a = max(module.m2.o3, 2) }, "a", false ? 1 : 10))
}

output "o2" {
  value = [for x in var.v2 : length(x)]
}

resource "terraform_data" "r1" {
  count = 2
  input = { x = length(transpose({ a = var.v2 }) == null ? [] : [1]), y = [tostring(toset(["a", "c"]) == toset(["a", "c"])), null] }
}

variable "v0" {
  type = list(number)
}

variable "v1" {
  type = map(set(number))
}

variable "v2" {
  type = list(string)
}

variable "v3" {
  type = any
  default = { a = ["x"] }
}

variable "v4" {
  type = tuple([string, number])
  nullable = false
}
