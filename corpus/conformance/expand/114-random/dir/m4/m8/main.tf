locals {
  l2 = 10
}

locals {
  l3 = [1, 2, 3]
}

locals {
  l4 = var.v4
}

locals {
  l5 = abs(10) >= (1) ? { (textencodebase64(terraform_data.r1["a"].id, "UTF-16LE")) = terraform_data.r1["a"].id, a = filemd5("${path.module}/text.txt") } : var.v0
}

output "o0" {
  value = [for o in [{ s = "s", n = 1, l = ["l"], m = { a = "m" } }] : o.s]
}

output "o1" {
  value = csvdecode("a,b\n1,2\n3,4")
}

output "o2" {
  value = distinct(reverse(tolist(toset(["a", "c"]))))
}

output "o3" {
  value = { s = tolist(toset(keys(var.v0)))[0], n = local.l3[0], l = keys(terraform_data.r1), m = merge(sensitive({ a = "1", b = "2" }), merge(var.v0, { a = "1", b = "2" })) }
  sensitive = true
}

output "o4" {
  value = tomap({})
}

resource "terraform_data" "r0" {
  input = regexall("(a)(b)?", "42")
  triggers_replace = setunion(toset([{ s = "s", n = 1, l = ["l"], m = { a = "m" } }.s, <<-EOT
    line ${10}
      more
  EOT
]), [strrev(tostring(12345678901234567890))])
}

resource "terraform_data" "r1" {
  for_each = toset(["a", "b"])
  input = tomap({})
  triggers_replace = csvdecode("a,b\n1,2\n3,4")
}

variable "v0" {
  type = map(string)
  default = { a = "1", b = 2 }
  nullable = false
}

variable "v1" {
  type = list(string)
  default = ["a", "b"]
}

variable "v2" {
  type = bool
}

variable "v3" {
  type = map(any)
  default = { a = 1, b = "x" }
}

variable "v4" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
}
