locals {
  l1 = var.v1
}

locals {
  l2 = index(["a", "b"], "b")
}

locals {
  l3 = -(local.l2)
}

locals {
  l5 = merge({ a = zipmap(["a"], [null]) }, { b = terraform_data.r4[0].output })
}

locals {
  l6 = trimsuffix(terraform_data.r0["a"].id, <<-EOT
    line ${local.l2}
      more
  EOT
)
}

output "o0" {
  value = csvdecode("a,b\n1,2\n3,4")
}

output "o1" {
  value = concat([for i, x in [for o in [local.l1] : o.s] : i], [max(local.l3, 1) - 1 + 2.5])
}

output "o2" {
  value = toset(["a", "c"])
}

output "o3" {
  value = terraform_data.r4[*].input == terraform_data.r4[0].input ? toset(var.v4.l) : fileset(path.module, "**/*.txt")
  sensitive = true
}

output "o4" {
  value = [for i, x in keys(terraform_data.r0) : i]
  sensitive = true
}

output "o5" {
  value = reverse(concat([1, 2, 3], [local.l3]))[0]
}

resource "terraform_data" "r0" {
  for_each = toset(["a", "b"])
  input = tolist([{ a = nonsensitive(sensitive(sha512(each.key))) }])
  triggers_replace = { x = max(2.5, abs(0)), y = [textencodebase64(each.value, "UTF-16LE"), null] }
}

resource "terraform_data" "r4" {
  count = 1
  input = null
}

variable "v0" {
  type = map(string)
  default = { a = "1", b = 2 }
  sensitive = true
}

variable "v1" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
}

variable "v2" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
  nullable = false
}

variable "v3" {
  type = string
  default = "text"
  sensitive = true
}

variable "v4" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "o" }
  sensitive = true
}
