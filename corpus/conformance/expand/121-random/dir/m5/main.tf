locals {
  l0 = var.v0
}

locals {
  l2 = setsubtract(setintersection(toset(["a", "c"]), setunion(toset(["a", "c"]), toset(["a", "c"]))), toset(keys(sensitive({ a = "1", b = "2" }))))
}

locals {
  l4 = 0
}

output "o0" {
  value = terraform_data.r1[*].id
  sensitive = true
}

output "o1" {
  value = var.v3
}

output "o2" {
  value = issensitive(file("${path.module}/text.txt"))
  sensitive = true
}

output "o3" {
  value = [{ s = textencodebase64(var.v0, "UTF-16LE"), n = local.l4 + local.l4, l = tolist(terraform_data.r1[*].id), m = tomap({ a = yamldecode(yamlencode("a.b")) }) }][*].s
}

output "o5" {
  value = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

output "o6" {
  value = toset(keys(tomap({ a = format("%05.1f|%v|%q", local.l4, var.v1, "é"), k1 = md5(local.l0) })))
}

output "o7" {
  value = ceil(lookup({ a = local.l4 }, "a", element([1, 2, 3], 2)))
}

resource "terraform_data" "r1" {
  count = 0
  input = element([jsondecode(jsonencode(tolist([{ a = "c" }])))], 3)
  triggers_replace = distinct([count.index, index(["a", "b"], "b")])
}

resource "terraform_data" "r3" {
  input = reverse([regex("(?P<first>.)?", format("%s-%s", var.v0, "b")), substr("%{ if false }${var.v0}%{ else }no%{ endif }", 0, 2)])
}

variable "v0" {
  type = string
  default = "text"
}

variable "v1" {
  type = map(string)
}

variable "v2" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
}

variable "v3" {
  type = any
  default = [1, 2]
}
