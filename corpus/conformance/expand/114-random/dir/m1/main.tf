locals {
  l0 = zipmap(["a", "b"], [" pad ", "true"])
}

locals {
  l1 = tolist(fileset(path.module, "*.{txt,tftpl}"))
}

locals {
  l3 = length(module.m2.o2)
}

locals {
  l4 = sort(local.l1)[0]
}

module "m2" {
  source = "./m2"

  v0 = [{ a = "1" }, { a = "2", b = false }]
  v1 = 5
  v2 = { a = ["x"] }
  v3 = "false"
  v4 = [{ a = "1" }, { a = "2", b = false }]
}

output "o0" {
  value = local.l1
}

output "o1" {
  value = filebase64sha512("${path.module}/text.txt")
}

output "o2" {
  value = zipmap(["a"], [[{ s = "s", n = 1, l = ["l"], m = { a = "m" } }, { s = "s", n = 1, l = ["l"], m = { a = "m" } }]])
}

output "o3" {
  value = toset(["a", "c"])
}

resource "terraform_data" "r5" {
  input = coalescelist(distinct(flatten([[local.l1], [[join(local.l4, local.l1)]]])), [convert(local.l3, string)])
  triggers_replace = try([for x in ["x"] : length(x)], null)
}

variable "v0" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v1" {
  type = tuple([string, number])
  default = ["a", "1"]
}
