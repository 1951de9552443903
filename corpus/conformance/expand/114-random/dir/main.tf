locals {
  l2 = jsonencode(coalescelist({ s = "s", n = 1, l = ["l"], m = { a = "m" } }.l, [terraform_data.r0["a"].id]))
}

locals {
  l3 = length(setsubtract(var.v2, setsubtract(var.v2, toset(["a", "c"]))))
}

locals {
  l5 = terraform_data.r0["a"].output
}

locals {
  l6 = fileset(path.module, "**/*.txt")
}

locals {
  l7 = { a = "1", b = "2" }
}

module "m1" {
  source = "./m1"
  count = 1

  v0 = ["a", "1"]
}

module "m4" {
  source = "./m4"

  v0 = "text"
}

output "o0" {
  value = { s = trimsuffix("${local.l2}-${10}", module.m4.o3), n = local.l3, l = tolist(slice(distinct(module.m4.o5), 0, 1)), m = tomap({ a = join(",", fileset(path.module, "**/*.txt")) }) }
  sensitive = true
}

output "o1" {
  value = toset(keys(tomap({ a = md5("日本"), k1 = module.m4.o3 })))
}

output "o2" {
  value = module.m1[0].o2
}

output "o3" {
  value = module.m1[0].o3
}

output "o4" {
  value = local.l3 * local.l3
}

output "o5" {
  value = { for k in module.m1[0].o0 : k => length(k)... }
}

resource "terraform_data" "r0" {
  for_each = { a = "db", b = " pad " }
  input = jsondecode(jsonencode([for k, v in { a = var.v0, b = var.v0 } : { (k) = v }]))
}

variable "v0" {
  type = any
  default = { a = ["x"] }
}

variable "v1" {
  type = bool
  default = true
  nullable = false
}

variable "v2" {
  type = set(string)
  default = ["b", "a", "b"]
}
