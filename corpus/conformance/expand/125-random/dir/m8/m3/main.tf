locals {
  l1 = slice([coalesce(0, 0.1)], 0, 1)
}

locals {
  l2 = local.l1
}

locals {
  l3 = 0.1 >= sensitive(parseint("ff", 16))
}

locals {
  l4 = toset([])
}

locals {
  l6 = trimspace(try(tomap({ a = "x" }).nope, terraform_data.r5[0].id))
}

output "o0" {
  value = { a = "1", b = "2" }
}

output "o1" {
  value = local.l1
}

output "o2" {
  value = toset(["a", "c"])
}

output "o3" {
  value = 3 >= 3
}

output "o4" {
  value = setintersection(convert(distinct(terraform_data.r5[*].id), set(string)), toset(["a", "c"]))
}

output "o5" {
  value = <<-EOT
    line ${(1)}
      more
  EOT

}

output "o6" {
  value = sort(terraform_data.r5[*].id)[0]
}

output "o7" {
  value = 1e3
}

resource "terraform_data" "r0" {
  input = var.v0
}

resource "terraform_data" "r5" {
  count = 1
  input = local.l4
}

variable "v0" {
  type = tuple([string, number])
}

variable "v1" {
  type = bool
  default = "false"
}

variable "v2" {
  type = list(object({ a = string, b = optional(bool, true) }))
}

variable "v3" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
  nullable = false
}
