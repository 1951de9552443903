locals {
  l0 = { for k, v in { for i, x in var.v3 : "k${i}" => x } : upper(k) => v }
}

locals {
  l1 = var.v2
}

locals {
  l2 = distinct(regexall("[a-z]+", "%{ if var.v0 }${"a.b"}%{ else }no%{ endif }"))
}

locals {
  l3 = 2.5
}

locals {
  l4 = { s = "Hello World", n = local.l3, l = local.l2, m = local.l0 }
}

output "o2" {
  value = terraform_data.r9.id
}

output "o3" {
  value = reverse([local.l3, tonumber("12.5")])
}

output "o4" {
  value = local.l0 == local.l0
}

output "o5" {
  value = null
}

resource "terraform_data" "r5" {
  count = 0
  input = var.v1
  triggers_replace = tomap({})
}

resource "terraform_data" "r9" {
  input = tomap({})
  triggers_replace = [terraform.workspace, floor(local.l3), local.l0 == local.l0]
}

variable "v0" {
  type = bool
  default = "false"
}

variable "v1" {
  type = map(any)
  default = { a = 1, b = "x" }
}

variable "v2" {
  type = list(number)
  default = [1, 2]
  nullable = false
}

variable "v3" {
  type = list(string)
  default = ["a", "b"]
}

variable "v4" {
  type = list(string)
  default = [1, "x"]
}
