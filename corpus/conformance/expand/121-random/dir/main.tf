locals {
  l0 = [1, 2, 3]
}

locals {
  l1 = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

locals {
  l2 = split(",", indent(2, var.v1))
}

locals {
  l3 = setunion([length(local.l2)], [0.1, element([for x in ["a", "b"] : length(x)], 2)])
}

locals {
  l6 = var.v4
}

locals {
  l7 = tobool("true")
}

locals {
  l8 = tomap({ a = "x" })
}

locals {
  l9 = tostring(sensitive(module.m5.o7))
}

module "m4" {
  source = "./m4"

  v1 = var.v2
  v2 = [{ a = "1" }, { a = "2", b = false }]
  v3 = [{ a = "1" }, { a = "2", b = false }]
  v4 = ["a", "b"]
}

module "m5" {
  source = "./m5"

  v1 = { a = "1", b = 2 }
}

output "o0" {
  value = chunklist(module.m5.o0, 2)
  sensitive = true
}

output "o1" {
  value = var.v3
  sensitive = true
}

output "o3" {
  value = module.m4.o0 ? [for k, v in tomap({ a = "", k1 = var.v1 }) : "${k}=${v}"] : local.l2
}

output "o4" {
  value = local.l0
}

output "o5" {
  value = setintersection(fileset(path.module, "**/*.txt"), setunion(module.m4.o0 ? toset(["a", "c"]) : toset(["a", "c"]), module.m4.o2))
}

variable "v0" {
  type = bool
  default = true
}

variable "v1" {
  type = string
  default = 42
  nullable = false
}

variable "v2" {
  type = string
  default = "text"
  nullable = false
}

variable "v3" {
  type = tuple([string, number])
  default = ["a", "1"]
  sensitive = true
}

variable "v4" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
  nullable = false
}
