locals {
  l0 = ["a", "b"]
}

locals {
  l1 = 1e3
}

locals {
  l2 = true
}

locals {
  l3 = concat([transpose({ a = local.l0 })], ["z"])
}

locals {
  l4 = element(concat([1, 2, 3], [local.l1]), 2)
}

locals {
  l5 = "42"
}

output "o0" {
  value = yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n")
}

output "o1" {
  value = alltrue([issensitive(ephemeralasnull(terraform_data.r6.id)), fileexists("${path.module}/text.txt")])
  sensitive = true
}

output "o2" {
  value = max(local.l1, local.l4)
}

output "o3" {
  value = tonumber("12.5")
}

resource "terraform_data" "r6" {
  input = var.v1
}

variable "v0" {
  type = list(object({ a = string, b = optional(bool, true) }))
}

variable "v1" {
  type = tuple([string, number])
  default = ["a", "1"]
}
