locals {
  l0 = { (sha1(" pad ")) = "a", a = templatefile("${path.module}/page.tftpl", { name = jsondecode(jsonencode("z")), list = ["db", "$${x}"] }) }
}

locals {
  l1 = var.v4
}

locals {
  l3 = [for k, v in { ("%{ for x in var.v3 ~} ${x} %{ endfor }") = sha1("eu-west-1"), a = trim("é", "$${x}") } : "${k}=${v}"]
}

locals {
  l4 = merge({ s = terraform_data.r2.id, n = merge({ s = terraform_data.r2.id, n = 1 }, { l = ["a", "b"], m = { a = "" } }).n }, { l = coalescelist([], local.l3), m = { a = replace(terraform_data.r2.id, "/[aeiou]/", "<$0>") } })
}

output "o0" {
  value = coalesce(terraform_data.r2.id, terraform_data.r2.id)
}

output "o1" {
  value = toset([join(",", toset(["a", "c"])), terraform_data.r2.id])
}

output "o2" {
  value = toset([terraform_data.r2.id, terraform_data.r2.id])
}

output "o3" {
  value = range(1, 10, var.v0 - 0.1 / 4 == 0 ? 1 : 4)
}

output "o4" {
  value = setunion(toset(keys({ ("") = terraform_data.r2.id, a = "true" })), fileset(path.module, "**/*.txt"))
}

output "o5" {
  value = { s = strrev(sort(local.l3)[0]), n = length(values({ a = var.v1, b = "eu-west-1" }) == null ? [] : [1]), l = tolist(compact(cidrsubnets("10.0.0.0/8", 4, 8))), m = tomap({ a = lower(file("${path.module}/text.txt")) }) }
}

output "o6" {
  value = length(keys(local.l0)[0])
}

resource "terraform_data" "r2" {
  input = var.v1
}

variable "v0" {
  type = number
  default = "7"
}

variable "v1" {
  type = any
  default = [1, 2]
}

variable "v2" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
}

variable "v3" {
  type = list(string)
  default = ["a", "b"]
}

variable "v4" {
  type = tuple([string, number])
  default = ["a", "1"]
}
