locals {
  l3 = { a = terraform_data.r1.output, b = terraform_data.r1.input }
}

module "m0" {
  source = "./m0"
  count = 3

  v0 = { a = 1, b = "x" }
  v2 = { a = "1", b = 2 }
}

module "m2" {
  source = "./m2"

  v0 = [1, 2]
  v1 = { a = "1", b = 2 }
  v3 = { a = "1", b = 2 }
}

output "o0" {
  value = concat(module.m2.o3, [abs(var.v2.n)])
  sensitive = true
}

output "o1" {
  value = { s = yamlencode(setunion([module.m0[0].o2], [module.m0[0].o2, 0.1])), n = sensitive(floor(module.m0[0].o2)), l = keys(terraform_data.r4), m = module.m0[0].o1 }
  sensitive = true
}

output "o2" {
  value = tomap({})
}

output "o3" {
  value = module.m0[0].o2
}

output "o4" {
  value = zipmap(["a", "b"], [textencodebase64(lookup({ a = "1", b = "2" }, terraform_data.r1.id, terraform_data.r5.id), "UTF-16LE"), md5(sha1(terraform_data.r1.id))])
  sensitive = true
}

output "o5" {
  value = module.m0[0].o3
  sensitive = true
}

output "o6" {
  value = { a = substr(terraform_data.r4["a"].id, 0, 2), b = trimspace(title(terraform_data.r4["a"].id)) }
  sensitive = true
}

resource "terraform_data" "r1" {
  input = module.m0[0].o5
}

resource "terraform_data" "r4" {
  for_each = { a = try({ a = "日本", b = "Hello World" }.nope, nonsensitive(sensitive("b"))), b = terraform_data.r1.id }
  input = local.l3
  triggers_replace = coalesce(module.m0[0].o2, module.m0[0].o2)
}

resource "terraform_data" "r5" {
  input = local.l3
  triggers_replace = terraform_data.r4["a"].output
}

variable "v0" {
  type = set(string)
  default = ["b", "a", "b"]
}

variable "v1" {
  type = set(string)
  default = ["b", "a", "b"]
}

variable "v2" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
  nullable = false
}
