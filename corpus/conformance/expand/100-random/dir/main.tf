locals {
  l0 = true
}

locals {
  l4 = { a = "1", b = "2" }
}

module "m1" {
  source = "./m1"
  for_each = toset(["a", "b"])

  v3 = ["a", "b"]
}

output "o0" {
  value = setproduct(toset(chunklist(["a", "b"], 2)[0]), [1, 2])
}

output "o1" {
  value = module.m1["a"].o0
}

output "o2" {
  value = distinct([1e3, length(transpose({ a = module.m1["a"].o1 }) == null ? [] : [1])])
  sensitive = true
}

output "o3" {
  value = module.m1["a"].o0
}

output "o4" {
  value = reverse(var.v0)
  sensitive = true
}

output "o5" {
  value = merge({ a = coalescelist(module.m1["a"].o1, [jsonencode(terraform_data.r2.input)]) }, { b = terraform_data.r3.output })
  sensitive = true
}

resource "terraform_data" "r2" {
  input = module.m1["a"].o3
  triggers_replace = one([])
}

resource "terraform_data" "r3" {
  input = toset([])
}

variable "v0" {
  type = list(number)
  default = [1, 2]
  sensitive = true
  nullable = false
}

variable "v1" {
  type = map(set(number))
  default = { a = [3, 1, 1] }
}

variable "v2" {
  type = map(any)
  default = { a = 1, b = "x" }
  sensitive = true
}

variable "v3" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
}
