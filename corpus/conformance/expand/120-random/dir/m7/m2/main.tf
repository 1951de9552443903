locals {
  l0 = toset(chunklist([for o in [{ s = "s", n = 1, l = ["l"], m = { a = "m" } }] : o.s], 2)[0])
}

locals {
  l1 = var.v3
}

locals {
  l2 = csvdecode("a,b\n1,2\n3,4")
}

locals {
  l3 = [1, 2, 3]
}

locals {
  l4 = toset(["x"])
}

locals {
  l5 = local.l3
}

locals {
  l7 = issensitive(urlencode(terraform_data.r6.id))
}

locals {
  l8 = setintersection(convert(["x"], set(string)), setintersection(local.l1, toset(keys(var.v2))))
}

output "o0" {
  value = chomp(terraform_data.r6.id)
}

output "o1" {
  value = setsubtract(local.l1, toset([terraform_data.r6.id, one([terraform_data.r6.id])]))
}

output "o2" {
  value = flatten([sort(false ? toset(["a", "c"]) : local.l0), [["a", "b"]]])
}

output "o3" {
  value = index(["a", "b"], "b")
}

output "o4" {
  value = sensitive(matchkeys(distinct(flatten([[["x"]], [[terraform_data.r6.id]]])), reverse(["x"]), ["a", "b"]))
  sensitive = true
}

output "o5" {
  value = try(tobool(try(sort(["x"])[5], terraform_data.r6.id)), local.l4 == convert(["a", "b"], set(string)))
}

output "o6" {
  value = true
}

resource "terraform_data" "r6" {
  input = local.l2
}

variable "v0" {
  type = any
  default = null
}

variable "v1" {
  type = number
}

variable "v2" {
  type = map(string)
}

variable "v3" {
  type = set(string)
}

variable "v4" {
  type = bool
  nullable = false
}
