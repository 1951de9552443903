locals {
  l2 = [sum([for x in terraform_data.r1[*].id : length(x)])]
}

locals {
  l3 = abs(length(try(["x"], null) == null ? [] : [1]))
}

locals {
  l4 = tomap({ a = filebase64("${path.module}/text.txt"), k1 = values(tomap({ a = "x" }))[0] })
}

locals {
  l5 = [for i, x in terraform_data.r0[*].id : i]
}

output "o0" {
  value = length([for x in terraform_data.r1[*].id : x if x != "a"])
}

output "o1" {
  value = try(terraform_data.r0[0].input, null)
}

output "o2" {
  value = terraform_data.r0[*].input
}

output "o3" {
  value = range(1, 10, (-(local.l3)) == 0 ? 1 : 4)
}

output "o4" {
  value = strcontains(terraform_data.r1[0].id, terraform_data.r0[0].id) ? { for x in toset(["a", "b"]) : x => "a.b" } : local.l4
}

resource "terraform_data" "r0" {
  count = 2
  input = regexall("(a)(b)?", path.module)
}

resource "terraform_data" "r1" {
  count = length([for k, v in { a = "1", b = "2" } : "${k}=${v}"]) > 1 ? 2 : 1
  input = terraform_data.r0[0].input
}

variable "v0" {
  type = map(set(number))
  default = { a = [3, 1, 1] }
  nullable = false
}

variable "v1" {
  type = tuple([string, number])
  default = ["a", "1"]
  sensitive = true
}
