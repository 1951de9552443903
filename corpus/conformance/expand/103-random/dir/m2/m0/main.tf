locals {
  l0 = one([one([true])]) ? can([zipmap(["a"], [["x"]])][5]) : fileexists("${path.module}/text.txt")
}

locals {
  l1 = [for i, x in ["a", "b"] : i]
}

locals {
  l2 = merge({ s = terraform.workspace, n = var.v0 }, { l = [for o in [{ s = "s", n = 1, l = ["l"], m = { a = "m" } }] : o.s], m = { a = tostring(false) } }).l
}

locals {
  l4 = convert(reverse(distinct(flatten([[local.l2], [["eu-west-1"]]]))), set(string))
}

locals {
  l6 = tomap({ a = "x" })
}

locals {
  l7 = { a = terraform.workspace, b = terraform_data.r5.id }
}

locals {
  l8 = local.l7 == local.l7
}

output "o0" {
  value = { s = "s", n = 1, l = ["l"], m = { a = "m" } }.m
  sensitive = true
}

output "o1" {
  value = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

output "o2" {
  value = { a = flatten([regexall("[a-z]+", terraform_data.r3.id), [local.l2]]), b = [yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n"), terraform_data.r5.input] }
}

output "o3" {
  value = length([for x in local.l2 : x if x != "a"]) + max(var.v0, var.v0)
}

resource "terraform_data" "r3" {
  input = jsondecode(jsonencode(csvdecode("a,b\n1,2\n3,4")))
  triggers_replace = null
}

resource "terraform_data" "r5" {
  input = [[tolist(local.l4)[0]], []]
}

variable "v0" {
  type = number
  default = "7"
}

variable "v1" {
  type = tuple([string, number])
}

variable "v2" {
  type = map(any)
}
