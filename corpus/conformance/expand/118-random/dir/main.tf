locals {
  l2 = tobool("true") ? sensitive({ a = "1", b = "2" }) : tomap({ a = "x" })
}

locals {
  l3 = length(toset(["a", "c"]))
}

locals {
  l5 = "日本"
}

locals {
  l7 = toset([]) == concat([setproduct(toset(["a", "c"]), [1, 2])], [textdecodebase64(textencodebase64("a.b", "UTF-8"), "UTF-8")])
}

output "o0" {
  value = length(keys(local.l2))
  sensitive = true
}

output "o2" {
  value = -0.25
}

output "o3" {
  value = [{ s = "s", n = 1, l = ["l"], m = { a = "m" } }, { s = "s", n = 1, l = ["l"], m = { a = "m" } }]
}

output "o4" {
  value = setunion(toset([local.l5, yamlencode(terraform_data.r0.input)]), [terraform.workspace])
  sensitive = true
}

output "o6" {
  value = sha512(local.l5)
}

output "o7" {
  value = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

resource "terraform_data" "r0" {
  input = sensitive([for k, v in { a = [[var.v0], []], b = tomap({}) } : { (k) = v }])
}

resource "terraform_data" "r4" {
  input = terraform_data.r0.input
  triggers_replace = concat([{ x = min(0, 1e3, 0), y = [formatdate("YYYY-MM-DD hh:mm", "2023-01-01T00:00:00+02:00"), null] }], [base64decode(base64encode(ephemeralasnull(var.v1)))])
}

variable "v0" {
  type = string
  default = "text"
}

variable "v1" {
  type = string
  default = "text"
}

variable "v2" {
  type = bool
  default = "false"
}
