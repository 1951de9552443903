locals {
  l0 = length(var.v1)
}

locals {
  l1 = { s = md5(var.v1), n = floor(one([1])), l = tolist(flatten([tolist([var.v1, var.v1]), [plantimestamp() == null ? "one\ntwo" : "eu-west-1"]])), m = tomap({ a = "%{ if 2.5 >= local.l0 }${var.v1}%{ else }no%{ endif }" }) }
}

locals {
  l2 = length([for x in tolist([var.v1, "z"]) : upper(x)])
}

locals {
  l3 = convert(tolist([convert(local.l0, string), base64sha512("42")]), set(string))
}

locals {
  l4 = can([var.v3][5]) ? -(10) : local.l2 / 4
}

locals {
  l5 = tolist([{ a = var.v1 }])
}

locals {
  l6 = local.l3
}

output "o0" {
  value = endswith(textencodebase64(var.v1, "UTF-16LE"), substr(terraform_data.r7["a"].id, 0, 2))
}

output "o1" {
  value = local.l2
}

output "o2" {
  value = toset([var.v1, textdecodebase64(textencodebase64("%{ for x in var.v0 ~} ${x} %{ endfor }", "UTF-8"), "UTF-8")])
}

resource "terraform_data" "r7" {
  for_each = toset(["a", "b"])
  input = jsondecode("{\"a\":[1,null,{\"b\":true}]}")
}

variable "v0" {
  type = list(string)
  default = [1, "x"]
  nullable = false
}

variable "v1" {
  type = string
  nullable = false
}

variable "v2" {
  type = list(object({ a = string, b = optional(bool, true) }))
}

variable "v3" {
  type = list(object({ a = string, b = optional(bool, true) }))
}

variable "v4" {
  type = list(string)
}
