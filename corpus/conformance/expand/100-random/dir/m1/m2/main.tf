locals {
  l1 = { s = "s", n = 1, l = ["l"], m = { a = "m" } }
}

locals {
  l2 = reverse(reverse(var.v3))
}

locals {
  l3 = [[convert(var.v2, string)], []]
}

locals {
  l4 = tolist([var.v2 - var.v2])
}

output "o0" {
  value = local.l1
}

output "o1" {
  value = terraform_data.r0[*].id
}

output "o2" {
  value = { s = filebase64sha512("${path.module}/text.txt"), n = lookup({ a = 0.1 }, "a", 1e3) / 4, l = tolist(coalescelist([], terraform_data.r0[*].id)), m = tomap({ a = replace(terraform_data.r0[0].id, keys({ a = "1", b = "2" })[0], trim(terraform_data.r0[0].id, "10.0.0.0/16")) }) }
}

output "o3" {
  value = terraform_data.r0[0].id
}

output "o4" {
  value = terraform_data.r0[*].id != terraform_data.r0[*].id
}

output "o5" {
  value = element(var.v3, 2)
}

output "o6" {
  value = chunklist(distinct(flatten([[terraform_data.r0[*].id], [[substr(terraform_data.r0[0].id, 0, 2)]]])), 2)
}

resource "terraform_data" "r0" {
  count = 3
  input = { a = setunion([[1, 2, 3][0]], [count.index, count.index]), b = { for k in { s = "s", n = 1, l = ["l"], m = { a = "m" } }.l : k => length(k)... } }
  triggers_replace = coalescelist(formatlist("%s=%s", [for x in ["a", "b"] : upper(x)], ["x"][0]), ["${"db"}-${var.v2}"])
}

variable "v0" {
  type = number
}

variable "v1" {
  type = set(string)
  default = ["b", "a", "b"]
}

variable "v2" {
  type = number
}

variable "v3" {
  type = list(number)
  default = [1, 2]
}

variable "v4" {
  type = list(number)
  default = [1, 2]
  nullable = false
}
