locals {
  l0 = { a = "Hello World", b = " pad " }
}

locals {
  l2 = basename(textencodebase64(keys({ a = "1", b = "2" })[0], "UTF-16LE"))
}

locals {
  l3 = reverse(slice([1, 0.1], 0, 1))
}

locals {
  l4 = sort(convert(terraform_data.r1[*].id, set(string)))
}

output "o0" {
  value = contains(var.v0, local.l2) && true && sensitive(false && false)
  sensitive = true
}

output "o2" {
  value = { for k, v in { for i, x in terraform_data.r1[*].id : "k${i}" => x } : v => k... }
}

output "o3" {
  value = var.v1
}

output "o4" {
  value = { for k, v in sensitive(local.l0) : k => v if v != base64sha256(terraform.workspace) }
  sensitive = true
}

resource "terraform_data" "r1" {
  count = 1
  input = zipmap(["a"], [[[tostring(false)], []]])
  triggers_replace = setunion([count.index], [sum(var.v2), count.index * count.index])
}

variable "v0" {
  type = set(string)
  nullable = false
}

variable "v1" {
  type = list(object({ a = string, b = optional(bool, true) }))
}

variable "v2" {
  type = list(number)
  default = [1, 2]
}

variable "v3" {
  type = map(set(number))
  nullable = false
}
