locals {
  l1 = [1, 2, 3]
}

locals {
  l2 = { s = terraform_data.r0["a"].id, n = 7, l = keys(terraform_data.r0), m = false ? { a = "1", b = "2" } : { a = "1", b = "2" } }.m
}

locals {
  l3 = { for i, x in keys(terraform_data.r0) : "k${i}" => x }
}

locals {
  l6 = toset(["a", "c"])
}

module "m5" {
  source = "./m5"

  v0 = true
  v1 = { a = [3, 1, 1] }
}

output "o0" {
  value = -(1e3 / 4) >= 3
}

output "o1" {
  value = local.l6 == setunion(local.l6, toset(["a", "c"])) ? toset([module.m5.o2, { s = "s", n = 1, l = ["l"], m = { a = "m" } }.s]) : local.l6 == local.l6 ? local.l6 : setunion(local.l6, toset(["a", "c"]))
}

output "o2" {
  value = false ? false : contains(local.l6, replace("x,y", "/[aeiou]/", "<$0>"))
}

output "o3" {
  value = (element(reverse(local.l1), 2))
}

output "o4" {
  value = { s = terraform_data.r0["a"].id, n = 0, l = keys(terraform_data.r4), m = { for i, x in [module.m5.o2, "a.b"] : "k${i}" => x } }
}

output "o5" {
  value = toset(distinct(keys(terraform_data.r0)))
}

output "o6" {
  value = tolist(local.l6)[0]
}

resource "terraform_data" "r0" {
  for_each = { a = dirname(path.module), b = yamldecode(yamlencode("b")) }
  input = transpose({ a = split(",", trimsuffix("c", "a")) })
}

resource "terraform_data" "r4" {
  for_each = { a = terraform_data.r0["a"].id, b = yamlencode({ for k, v in terraform_data.r0 : k => v.input }) }
  input = { x = floor(2), y = [each.value, null] }
  triggers_replace = tolist([{ a = filemd5("${path.module}/text.txt") }])
}

variable "v0" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v1" {
  type = map(any)
  default = { a = 1, b = "x" }
  sensitive = true
}
