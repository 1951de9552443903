locals {
  l0 = chunklist([for i, x in ["a", "b"] : "${i}${x}" if i < 2], 2)
}

locals {
  l2 = [1, 2, 3]
}

locals {
  l3 = terraform_data.r1[0].id
}

locals {
  l4 = var.v3 ? 12345678901234567890 : ceil(sensitive(2.5))
}

locals {
  l5 = terraform_data.r1[*].id
}

locals {
  l6 = { a = "1", b = "2" }
}

locals {
  l7 = terraform_data.r1[0].id
}

output "o0" {
  value = -(length([for x in terraform_data.r1[*].id : x if x != "a"]))
}

output "o1" {
  value = local.l6[*] == null ? [] : coalescelist([], values(local.l6))
}

output "o2" {
  value = one([local.l4])
  sensitive = true
}

output "o3" {
  value = terraform_data.r1[0].output
}

resource "terraform_data" "r1" {
  count = 2
  input = null
}

variable "v0" {
  type = bool
  default = true
}

variable "v1" {
  type = bool
  default = "false"
}

variable "v2" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "p", n = 4, l = ["x"], extra = 1 }
}

variable "v3" {
  type = bool
  default = true
}
