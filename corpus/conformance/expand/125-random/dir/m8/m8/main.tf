locals {
  l0 = index(["a", "b"], "b")
}

locals {
  l2 = var.v0 ? toset([convert(-0.25, string), var.v1]) : toset([timeadd("2024-02-29T12:30:45Z", "90m"), var.v1])
}

locals {
  l3 = tolist([terraform_data.r1[0].id, terraform_data.r1[0].id])
}

locals {
  l4 = { s = var.v1, n = try(tonumber(element(terraform_data.r1[*].id, 1)), local.l0), l = terraform_data.r1[*].id, m = { a = "1", b = "2" } }
}

locals {
  l5 = cidrnetmask("10.0.0.0/12")
}

locals {
  l6 = upper(var.v1)
}

output "o0" {
  value = { for x in toset(["a", "b"]) : x => sensitive(sort(local.l3)[0]) }
  sensitive = true
}

output "o1" {
  value = [for o in [merge({ s = local.l6, n = local.l0 }, { l = values({ a = "1", b = "2" }), m = { a = base64sha512(local.l6) } })] : o.s]
}

output "o2" {
  value = { s = local.l5, n = local.l0, l = tolist(var.v0 ? sort(terraform_data.r7[*].id) : concat(terraform_data.r1[*].id, local.l3)), m = tomap({ a = terraform_data.r1[0].id }) }
}

output "o3" {
  value = { (try({ a = local.l5, b = "eu-west-1" }.nope, join(terraform_data.r7[0].id, terraform_data.r1[*].id))) = { a = "1", b = "2" }["a"], a = terraform_data.r7[0].id }
  sensitive = true
}

output "o4" {
  value = [1, 2, 3]
}

resource "terraform_data" "r1" {
  count = length([{ s = "s", n = 1, l = ["l"], m = { a = "m" } }][*].s) > 1 ? 2 : 1
  input = coalescelist(sort(setunion(toset(["a", "c"]), toset(["a", "c"]))), [var.v1])
}

resource "terraform_data" "r7" {
  count = length(sort(toset(["a", "c"]))) > 1 ? 2 : 1
  input = flatten([local.l3, [split(",", try(tomap({ a = "x" }).nope, var.v1))]])
  triggers_replace = terraform_data.r1[0].output
}

variable "v0" {
  type = bool
}

variable "v1" {
  type = string
  default = "é"
}
