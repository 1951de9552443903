locals {
  l1 = terraform_data.r0.output
}

locals {
  l2 = one([urlencode(jsonencode(local.l1))])
}

locals {
  l4 = var.v2
}

locals {
  l7 = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

output "o0" {
  value = { s = replace(terraform_data.r0.id, "/[aeiou]/", "<$0>"), n = local.l4, l = tolist(chunklist(terraform_data.r5[*].id, 2)[0]), m = tomap({ a = join(",", var.v4) }) }
}

output "o1" {
  value = slice(range(1, 10, local.l4 == 0 ? 1 : 4), 0, 1)
}

output "o2" {
  value = [1, 2, 3][0]
}

output "o3" {
  value = var.v2
}

output "o4" {
  value = { x = var.v2, y = [<<EOT
line ${terraform_data.r3.id}
  %{ if !var.v1 }yes%{ endif }
EOT
, null] }
}

output "o5" {
  value = var.v4
}

output "o6" {
  value = distinct([try(tonumber(values({ a = "1", b = "2" })[0]), lookup({ a = 2.5 }, "a", local.l4)), length(try({ a = "1", b = "2" }, {}))])
}

resource "terraform_data" "r0" {
  input = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

resource "terraform_data" "r3" {
  input = timecmp("2023-01-01T00:00:00+02:00", "2023-01-01T00:00:00+02:00")
}

resource "terraform_data" "r5" {
  count = length(var.v0) > 1 ? 2 : 1
  input = distinct([count.index, -(index(["a", "b"], "b"))])
}

resource "terraform_data" "r6" {
  for_each = { a = format("%05.1f|%v|%q", pow(2, 10), [1, 2, 3], terraform_data.r0.id), b = terraform_data.r0.id }
  input = yamldecode(yamlencode(local.l1))
}

variable "v0" {
  type = list(string)
  default = ["a", "b"]
  nullable = false
}

variable "v1" {
  type = bool
  default = true
}

variable "v2" {
  type = number
  default = "7"
}

variable "v3" {
  type = map(any)
  default = { a = 1, b = "x" }
}

variable "v4" {
  type = set(string)
  default = ["b", "a", "b"]
}
