locals {
  l0 = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

locals {
  l1 = trimspace(filebase64("${path.module}/text.txt"))
}

locals {
  l2 = var.v1
}

locals {
  l3 = templatefile("${path.module}/page.tftpl", { name = local.l1, list = var.v3 })
}

locals {
  l4 = [length([for x in var.v3 : x if x != "a"])]
}

locals {
  l5 = fileexists("${path.module}/nope")
}

output "o0" {
  value = values(var.v2)
}

output "o1" {
  value = local.l5 ? { a = tostring(local.l5), b = local.l3 } : { a = base64encode(local.l3), b = cidrhost("10.1.0.0/16", 5) }
  sensitive = true
}

output "o2" {
  value = 10
}

output "o3" {
  value = { s = jsondecode(jsonencode(trimsuffix("日本", "42"))), n = -1 / 4, l = tolist(var.v3), m = tomap({ a = lower(local.l1) }) }
  sensitive = true
}

output "o4" {
  value = local.l3
  sensitive = true
}

output "o5" {
  value = var.v1
  sensitive = true
}

output "o6" {
  value = !one([local.l5]) ? keys(var.v2) : var.v3
  sensitive = true
}

output "o7" {
  value = var.v3
  sensitive = true
}

variable "v0" {
  type = map(any)
}

variable "v1" {
  type = map(set(number))
  default = { a = [3, 1, 1] }
}

variable "v2" {
  type = map(string)
  default = { a = "1", b = 2 }
}

variable "v3" {
  type = list(string)
  default = ["a", "b"]
  sensitive = true
}
