locals {
  l0 = sensitive({ a = "1", b = "2" })
}

locals {
  l1 = regexall("[a-z]+", var.v2)
}

locals {
  l2 = yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n")
}

locals {
  l3 = { s = tostring(false), n = length(local.l0), l = tolist(sensitive(local.l1)), m = tomap({ a = var.v2 }) }
}

locals {
  l4 = toset(["a", "c"])
}

locals {
  l5 = merge(local.l0, sensitive(local.l0))
}

output "o0" {
  value = { x = try(tonumber(var.v2), floor(2.5)), y = [file("${path.module}/text.txt"), null] }
}

output "o1" {
  value = local.l0
  sensitive = true
}

output "o2" {
  value = [for i, x in [{ s = var.v2, n = 0, l = tolist(local.l1), m = tomap({ a = var.v2 }) }][*].s : i]
}

output "o3" {
  value = ["x"]
}

output "o4" {
  value = concat([for x in local.l1 : length(x)], [timecmp("2023-01-01T00:00:00+02:00", "2023-01-01T00:00:00+02:00")])
}

variable "v0" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v1" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
  sensitive = true
}

variable "v2" {
  type = string
  default = 42
}
