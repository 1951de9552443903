locals {
  l4 = tostring(0)
}

locals {
  l5 = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

locals {
  l6 = sensitive(true)
}

locals {
  l7 = length(keys({ a = textencodebase64("10.0.0.0/16", "UTF-16LE"), b = local.l4 }))
}

locals {
  l8 = range(3)
}

output "o2" {
  value = -(lookup({ a = signum(10) }, "a", local.l7 - local.l7))
}

resource "terraform_data" "r0" {
  count = length(split(",", var.v4)) > 1 ? 2 : 1
  input = chunklist(["x"], 2) != null ? toset([]) : null
}

resource "terraform_data" "r1" {
  input = { x = one([12345678901234567890]), y = [strrev(terraform_data.r0[0].id), null] }
  triggers_replace = sensitive(tolist([{ a = var.v4 }]))
}

variable "v0" {
  type = set(string)
  default = ["b", "a", "b"]
  sensitive = true
}

variable "v1" {
  type = tuple([string, number])
  nullable = false
}

variable "v2" {
  type = list(number)
  default = [1, 2]
}

variable "v3" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
}

variable "v4" {
  type = string
  default = 42
}
