locals {
  l0 = "x,y"
}

locals {
  l3 = "%{ for x in keys(zipmap(["a", "b"], ["日本", terraform_data.r2.id])) ~} ${x} %{ endfor }"
}

locals {
  l4 = 1e3 >= 2 ? try(tonumber(local.l0), min(1e3, 0.1, 1)) : lookup({ a = 2 }, "a", lookup({ a = -0.25 }, "a", 1))
}

locals {
  l5 = try(tobool(terraform_data.r2.id), jsondecode(jsonencode(terraform_data.r1[0].output)) == var.v1)
}

output "o0" {
  value = can([terraform_data.r8[0].input][5])
}

output "o1" {
  value = zipmap(["a"], [terraform_data.r8[0].input])
}

output "o2" {
  value = [1, 2, 3]
}

output "o3" {
  value = regex("(?P<first>.)?", nonsensitive(sensitive(terraform_data.r9.id)))
  sensitive = true
}

output "o4" {
  value = local.l0
}

resource "terraform_data" "r1" {
  count = 3
  input = [for i, x in ["x"] : "${i}${x}" if i < 2]
}

resource "terraform_data" "r2" {
  input = terraform_data.r1[*].input
}

resource "terraform_data" "r6" {
  for_each = { a = terraform_data.r2.id, b = one(["eu-west-1"]) }
  input = terraform_data.r2.input
  triggers_replace = concat([[for k, v in { a = terraform_data.r1[*].input, b = var.v0 } : { (k) = v }]], [title(templatefile("${path.module}/page.tftpl", { name = "x,y", list = terraform_data.r1[*].id }))])
}

resource "terraform_data" "r7" {
  count = 3
  input = zipmap(["a", "b"], [keys({ a = "1", b = "2" })[0], terraform_data.r1[0].id])
  triggers_replace = var.v0
}

resource "terraform_data" "r8" {
  count = 3
  input = endswith(terraform_data.r2.id, ephemeralasnull(terraform_data.r2.id))
  triggers_replace = terraform_data.r7[0].output
}

resource "terraform_data" "r9" {
  input = terraform_data.r1[*].input
}

variable "v0" {
  type = map(set(number))
}

variable "v1" {
  type = object({ s = string, n = optional(number, 3), l = optional(list(string), ["d"]), m = optional(map(string), { a = "z" }) })
  default = { s = "p", n = 4, l = ["x"], extra = 1 }
}

variable "v2" {
  type = set(string)
  default = ["b", "a", "b"]
}

variable "v3" {
  type = bool
  nullable = false
}
