locals {
  l1 = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

locals {
  l2 = ceil(false ? -1 : 1e3)
}

locals {
  l3 = fileset(path.module, "**/*.txt")
}

locals {
  l5 = false || try(tobool(uuidv5("dns", "db")), contains(local.l3, var.v0))
}

output "o0" {
  value = length(keys(tomap({ a = "x" })))
}

output "o1" {
  value = floor(1)
}

output "o2" {
  value = [1, 2, 3]
}

output "o3" {
  value = flatten([distinct(flatten([[terraform_data.r0[*].id], [[var.v0]]])), [try(terraform_data.r0[*].id, [])]])
}

output "o5" {
  value = try(zipmap(["a", "b"], [coalesce(terraform_data.r0[0].id, "10.0.0.0/16"), format("%05.1f|%v|%q", 1e3, -0.25, "é")]), {})
}

resource "terraform_data" "r0" {
  count = 0
  input = [distinct([length("web"), count.index]), true ? toset(["a", "c"]) : toset(["a", "c"])]
}

variable "v0" {
  type = string
  default = "text"
}

variable "v1" {
  type = tuple([string, number])
  default = ["a", "1"]
}
