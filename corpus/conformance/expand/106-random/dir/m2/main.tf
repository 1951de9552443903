locals {
  l1 = length(var.v3) % 7
}

locals {
  l2 = [lookup({ a = local.l1 }, "a", local.l1)]
}

locals {
  l4 = setunion(toset(["a", "c"]), fileset(path.module, "**/*.txt"))
}

module "m3" {
  source = "./m3"

  v0 = { a = 1, b = "x" }
  v1 = true
}

output "o0" {
  value = timecmp("2023-01-01T00:00:00+02:00", "2023-01-01T00:00:00+02:00") < local.l1
}

output "o1" {
  value = [module.m3.o3, { s = dirname("one\ntwo"), n = local.l1, l = module.m3.o1, m = try(module.m3.o5, {}) }]
  sensitive = true
}

output "o2" {
  value = strcontains(sha1(cidrsubnet("10.0.0.0/8", 8, 3)), replace("${terraform_data.r0.id}-${local.l1}", "/[aeiou]/", "<$0>"))
  sensitive = true
}

output "o3" {
  value = local.l2
  sensitive = true
}

resource "terraform_data" "r0" {
  input = [for x in [var.v0, var.v4] : x]
}

variable "v0" {
  type = any
  default = { a = ["x"] }
}

variable "v1" {
  type = map(string)
  nullable = false
}

variable "v2" {
  type = bool
  default = true
  nullable = false
}

variable "v3" {
  type = map(string)
  nullable = false
}

variable "v4" {
  type = bool
  default = "false"
  sensitive = true
}
