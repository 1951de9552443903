locals {
  l0 = md5(var.v1)
}

locals {
  l1 = { a = "1", b = "2" }
}

locals {
  l2 = length(cidrhost("10.1.0.0/16", 5))
}

locals {
  l3 = [1, 2, 3]
}

locals {
  l4 = merge(try({ ("$${x}") = var.v1, a = "z" }, {}), local.l1)
}

locals {
  l7 = false
}

locals {
  l8 = length(terraform_data.r6["a"].output == null ? [] : [1]) + local.l2 - local.l2
}

output "o0" {
  value = local.l7
}

output "o1" {
  value = (local.l2)
}

output "o2" {
  value = -(([1, 2, 3][0]))
}

output "o3" {
  value = setsubtract(toset(["a", "c"]), setintersection(setsubtract(toset(["a", "c"]), toset(["a", "c"])), toset(["A_b-C", "true"])))
}

output "o4" {
  value = terraform_data.r5["a"].output
  sensitive = true
}

output "o5" {
  value = <<-EOT
    line ${var.v0}
      more
  EOT

}

output "o6" {
  value = { for k, v in terraform_data.r6 : k => v.input } == try({ for k, v in terraform_data.r6 : k => v.input }, null)
}

resource "terraform_data" "r5" {
  for_each = toset(["a", "b"])
  input = values({ a = setunion([var.v0 + 0], [local.l2, floor(local.l2)]), b = textencodebase64(var.v1, "UTF-16LE") })
}

resource "terraform_data" "r6" {
  for_each = toset(["a", "b"])
  input = 0 * local.l2 / 4
}

variable "v0" {
  type = number
  default = 5
}

variable "v1" {
  type = string
  sensitive = true
}

variable "v2" {
  type = map(set(number))
}

variable "v3" {
  type = list(string)
  default = [1, "x"]
  nullable = false
}

variable "v4" {
  type = list(object({ a = string, b = optional(bool, true) }))
  sensitive = true
}
