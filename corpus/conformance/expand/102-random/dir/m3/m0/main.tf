locals {
  l0 = regexall("(a)(b)?", strrev("z"))
}

locals {
  l1 = setsubtract(setintersection(setunion(toset(["a", "c"]), toset(["a", "c"])), toset(["a", "c"])), convert(["x"], set(string)))
}

locals {
  l2 = setintersection(fileset(path.module, "**/*.txt"), local.l1)
}

locals {
  l4 = toset([])
}

output "o0" {
  value = local.l4
}

output "o1" {
  value = { s = file("${path.module}/text.txt"), n = -0.25, l = tolist(["a", "b"]), m = tomap({ a = tostring(false) }) }
}

output "o2" {
  value = false
}

resource "terraform_data" "r3" {
  input = { for k, v in var.v2 : v => k... }
  triggers_replace = sensitive(var.v0)
}

variable "v0" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v1" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
}

variable "v2" {
  type = map(string)
  default = { a = "1", b = 2 }
  sensitive = true
}
