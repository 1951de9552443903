locals {
  l0 = setunion(can([var.v2][5]) ? fileset(path.module, "**/*.txt") : setintersection(toset(["a", "c"]), toset(["a", "c"])), [filebase64sha512("${path.module}/text.txt")])
}

locals {
  l1 = merge({ for k, v in { for x in toset(["a", "b"]) : x => "x,y" } : k => v if v != cidrhost("10.1.0.0/16", 5) }, { ("eu-west-1") = "b", a = join(",", toset(["a", "c"])) })
}

locals {
  l2 = contains(distinct(flatten([[["$${x}", "x,y"]], [[{ s = "s", n = 1, l = ["l"], m = { a = "m" } }.s]]])), "42")
}

locals {
  l3 = formatlist("%s=%s", ["x"], upper(uuid()))
}

locals {
  l5 = anytrue([endswith(nonsensitive(sensitive(terraform_data.r4.id)), terraform.workspace), var.v3])
}

locals {
  l6 = length(setunion(toset(["a", "c"]), toset(["日本", "b"])))
}

locals {
  l7 = { for k, v in local.l1 : upper(k) => v }
}

locals {
  l8 = local.l7
}

output "o0" {
  value = [local.l3[0], local.l6, can(tonumber(terraform_data.r4.id))]
}

output "o1" {
  value = [{ s = terraform_data.r4.id, n = var.v1, l = fileset(path.module, "*.txt") == null ? [] : ["a", "b"], m = local.l8 }, { s = "s", n = 1, l = ["l"], m = { a = "m" } }]
}

output "o2" {
  value = { for k, v in local.l8 : upper(k) => v }
}

output "o3" {
  value = sensitive(local.l6)
  sensitive = true
}

resource "terraform_data" "r4" {
  input = var.v0
}

resource "terraform_data" "r9" {
  count = 2
  input = terraform_data.r4.output
}

variable "v0" {
  type = list(object({ a = string, b = optional(bool, true) }))
}

variable "v1" {
  type = number
  default = 5
}

variable "v2" {
  type = any
}

variable "v3" {
  type = bool
}

variable "v4" {
  type = list(object({ a = string, b = optional(bool, true) }))
}
