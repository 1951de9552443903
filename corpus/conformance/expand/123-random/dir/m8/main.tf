locals {
  l1 = { s = dirname(sha1("x,y")), n = sum([1, 2, 3]), l = tolist(terraform_data.r0[*].id), m = tomap({ a = terraform_data.r0[0].id }) }
}

locals {
  l2 = [2.5]
}

locals {
  l3 = terraform_data.r0[0].id
}

locals {
  l4 = 10
}

locals {
  l6 = { s = terraform_data.r5.id, n = local.l4, l = tolist([for o in [{ s = "$${x}", n = 1e3, l = tolist(terraform_data.r0[*].id), m = tomap({ a = "10.0.0.0/16" }) }] : o.s]), m = tomap({ a = cidrsubnet("10.0.0.0/8", 8, 3) }) }
}

locals {
  l7 = toset([jsondecode(jsonencode(templatefile("${path.module}/page.tftpl", { name = local.l3, list = terraform_data.r0[*].id }))), indent(2, textdecodebase64(textencodebase64("web", "UTF-8"), "UTF-8"))])
}

output "o0" {
  value = local.l7
}

output "o1" {
  value = { for x in toset(["a", "b"]) : x => substr(local.l3, -2, -1) }
}

output "o2" {
  value = fileset(path.module, "**/*.txt")
}

output "o3" {
  value = [for x in local.l7 : x]
}

resource "terraform_data" "r0" {
  count = 2
  input = tolist([{ a = bcrypt(uuid()) }])
}

resource "terraform_data" "r5" {
  input = lookup({ a = terraform_data.r0[0].input }, "b", csvdecode("a,b\n1,2\n3,4"))
}

variable "v0" {
  type = list(string)
}

variable "v1" {
  type = tuple([string, number])
  sensitive = true
}

variable "v2" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
}
