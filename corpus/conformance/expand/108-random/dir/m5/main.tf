locals {
  l0 = [for o in [{ s = timestamp(), n = one([-0.25]), l = [for i, x in ["x"] : "${i}${x}" if i < 2], m = false ? { a = "1", b = "2" } : var.v3 }] : o.s]
}

locals {
  l1 = [for x in local.l0 : upper(x)]
}

locals {
  l4 = filebase64("${path.module}/text.txt")
}

output "o0" {
  value = var.v2
}

output "o1" {
  value = floor(length(toset(["a", "c"])))
}

output "o3" {
  value = try(sensitive(var.v3).nope, uuid())
  sensitive = true
}

output "o4" {
  value = values({ a = flatten([terraform_data.r3[*].id, [terraform_data.r3[*].id]]), b = sha256(one(["a.b"])) })
}

output "o5" {
  value = slice([1, 2, 3], 0, 1)
}

resource "terraform_data" "r2" {
  input = var.v0
}

resource "terraform_data" "r3" {
  count = 1
  input = yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n")
}

resource "terraform_data" "r5" {
  input = setproduct(toset(keys(var.v3)), [1, 2])
}

variable "v0" {
  type = any
  default = [1, 2]
}

variable "v1" {
  type = any
}

variable "v2" {
  type = bool
  default = "false"
}

variable "v3" {
  type = map(string)
}
