locals {
  l2 = merge({ s = [for x in toset(["a", "c"]) : x][0], n = min(1, 12345678901234567890, 3) * 0 - 10 }, { l = [terraform_data.r1.id, upper(terraform_data.r0[0].id)], m = { a = templatefile("${path.module}/page.tftpl", { name = terraform_data.r1.id, list = terraform_data.r0[*].id }) } })
}

locals {
  l4 = ceil(0.1)
}

locals {
  l5 = slice(range(3), 0, 1)
}

locals {
  l6 = coalesce(base64encode(filesha256("${path.module}/text.txt")), dirname(yamlencode(["a", "b"])))
}

locals {
  l7 = var.v0
}

output "o0" {
  value = join(",", fileset(path.module, "**/*.txt"))
}

output "o1" {
  value = cidrsubnets("10.0.0.0/8", 4, 8)
}

output "o2" {
  value = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

output "o3" {
  value = tolist([local.l6, terraform_data.r0[0].id])
}

resource "terraform_data" "r0" {
  count = 2
  input = try(var.v1, null)
}

resource "terraform_data" "r1" {
  input = terraform_data.r0[*].input
}

resource "terraform_data" "r3" {
  for_each = { a = join(trimspace(terraform_data.r1.id), var.v0), b = terraform_data.r1.id }
  input = var.v2
}

resource "terraform_data" "r8" {
  for_each = toset(["a", "b"])
  input = merge({ a = tolist([{ a = join(",", toset(["a", "c"])) }]) }, { b = var.v2 })
}

variable "v0" {
  type = list(string)
  default = ["a", "b"]
}

variable "v1" {
  type = any
}

variable "v2" {
  type = any
  default = [1, 2]
}
