locals {
  l0 = "日本"
}

locals {
  l1 = keys({ a = "1", b = "2" })
}

locals {
  l2 = { for k in sort(toset(["a", "c"])) : k => length(k)... }
}

locals {
  l4 = merge({ s = try(concat(keys(terraform_data.r3), ["a", "b"])[5], local.l0), n = 10 }, { l = [local.l0, sha512("a.b")], m = { a = "%{ if true && false }${bcrypt(terraform_data.r3["a"].id)}%{ else }no%{ endif }" } })
}

locals {
  l5 = { for x in toset(["a", "b"]) : x => title(terraform_data.r3["a"].id) }
}

locals {
  l6 = trimspace("${sha512(terraform_data.r3["a"].id)}-${one([2.5])}")
}

locals {
  l7 = [1, 2, 3]
}

locals {
  l8 = local.l5
}

output "o0" {
  value = reverse([local.l2, tolist(fileset(path.module, "**/*.txt"))[0]])
}

output "o1" {
  value = distinct(flatten([[slice([for x in local.l1 : upper(x)], 0, 1)], [[title(terraform_data.r3["a"].id)]]]))
  sensitive = true
}

output "o2" {
  value = coalescelist([for o in [{ s = terraform_data.r3["a"].id, n = 1, l = keys(terraform_data.r3), m = tomap({ a = "x" }) }] : o.s], [element(local.l1, 1)])
}

output "o3" {
  value = local.l4
  sensitive = true
}

output "o4" {
  value = sensitive(try(tobool(jsonencode({ for k, v in terraform_data.r3 : k => v.input })), var.v1))
  sensitive = true
}

output "o5" {
  value = merge({ for x in toset(["a", "b"]) : x => terraform_data.r3["a"].id }, try({ for k, v in local.l8 : k => v if v != "eu-west-1" }, {}))
  sensitive = true
}

resource "terraform_data" "r3" {
  for_each = { a = replace(local.l0, base64decode(base64encode("日本")), sort(local.l1)[0]), b = local.l0 }
  input = [each.value, -1, setunion([1e3], [0.1, 1]) != null]
  triggers_replace = { for k in local.l1 : k => length(k)... }
}

variable "v0" {
  type = map(any)
}

variable "v1" {
  type = bool
  sensitive = true
  nullable = false
}
