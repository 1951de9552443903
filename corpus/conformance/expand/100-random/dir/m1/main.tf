locals {
  l0 = setunion(setintersection(toset(["a", "c"]), toset(["a", "b"])), ["10.0.0.0/16"])
}

locals {
  l1 = tolist(fileset(path.module, "*.{txt,tftpl}"))
}

locals {
  l5 = regex("[a-z]*", module.m2.o3)
}

locals {
  l6 = { a = "1", b = "2" }
}

locals {
  l7 = tonumber("12.5")
}

locals {
  l8 = fileset(path.module, "**/*.txt")
}

module "m2" {
  source = "./m2"

  v0 = 5
  v2 = var.v1 - 1e3 / 4
  v3 = tolist([index(["a", "b"], "b")])
  v4 = [1, 2]
}

output "o0" {
  value = merge({ s = regex("[a-z]*", local.l5), n = local.l7 }, { l = local.l1, m = { a = local.l5 } })
}

output "o1" {
  value = distinct(flatten([[local.l6[*] == null ? [] : distinct(keys(terraform_data.r3))], [[terraform.workspace]]]))
  sensitive = true
}

output "o2" {
  value = setsubtract(fileset(path.module, "**/*.txt"), local.l8)
}

output "o3" {
  value = toset([])
}

resource "terraform_data" "r3" {
  for_each = toset(["a", "b"])
  input = fileset(path.module, "**/*.txt")
}

resource "terraform_data" "r4" {
  input = setunion([timecmp("2023-01-01T00:00:00+02:00", "2024-02-29T12:30:45Z")], [var.v1 * var.v1, module.m2.o5])
  triggers_replace = jsondecode(jsonencode(merge({ a = "Hello World" }, { b = local.l0 })))
}

variable "v0" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
  sensitive = true
}

variable "v1" {
  type = number
  default = 5
}

variable "v2" {
  type = bool
  default = "false"
}

variable "v3" {
  type = list(string)
}
