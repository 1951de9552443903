locals {
  l1 = 1e3
}

locals {
  l2 = signum(index(["a", "b"], "b"))
}

locals {
  l3 = local.l1 < try(tonumber(try({ a = "1", b = "2" }.nope, "db")), 3 * 12345678901234567890)
}

locals {
  l4 = tolist(setunion(fileset(path.module, "**/*.txt"), setintersection(toset(["a", "c"]), toset(["a", "c"]))))
}

locals {
  l5 = { for x in toset(["a", "b"]) : x => plantimestamp() == null ? core::upper("one\ntwo") : "a.b" }
}

output "o0" {
  value = chunklist(local.l4, 2)[0]
}

output "o1" {
  value = reverse([var.v0, uuidv5("dns", sensitive("db"))])
  sensitive = true
}

output "o2" {
  value = toset(["a", "c"])
}

output "o3" {
  value = tomap({})
}

output "o4" {
  value = var.v1
}

output "o5" {
  value = var.v1
}

output "o6" {
  value = element([tonumber("12.5")], 2)
}

variable "v0" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
  nullable = false
}

variable "v1" {
  type = map(set(number))
  default = { a = [3, 1, 1] }
}
