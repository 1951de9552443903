locals {
  l2 = [7, length(module.m1.o0)]
}

locals {
  l3 = terraform_data.r0.output
}

locals {
  l4 = terraform_data.r0.input
}

locals {
  l7 = range(3)
}

module "m1" {
  source = "./m1"

  v1 = null
  v2 = null
}

module "m8" {
  source = "./m8"
  for_each = toset(["a", "b"])

  v0 = { a = "1", b = 2 }
  v1 = tolist([module.m1.o0, sha512("日本")])
  v2 = can(tonumber(filebase64sha512("${path.module}/text.txt")))
}

output "o0" {
  value = [for x in [distinct([7, length(toset(["a", "c"]))]), { for k, v in terraform_data.r6 : k => v.input }] : x]
}

output "o1" {
  value = module.m8["a"].o2 != [for o in [module.m1.o2] : o.s]
}

output "o2" {
  value = local.l7
}

output "o3" {
  value = <<-EOT
    line ${tolist([12345678901234567890])[0]}
      more
  EOT

}

output "o5" {
  value = flatten([[module.m8["a"].o3][*].s, [formatdate("YYYY-MM-DD hh:mm", "2023-01-01T00:00:00+02:00")]])
  sensitive = true
}

output "o6" {
  value = slice(module.m8["a"].o0, 0, 1)
}

resource "terraform_data" "r0" {
  input = { for k, v in var.v1 : v => k... }
  triggers_replace = transpose({ a = formatlist("%s=%s", tolist([var.v0, var.v0]), tolist(toset(["a", "c"]))[0]) })
}

resource "terraform_data" "r5" {
  count = 2
  input = local.l3
}

resource "terraform_data" "r6" {
  for_each = toset(["a", "b"])
  input = try(reverse(local.l2), null)
}

variable "v0" {
  type = string
}

variable "v1" {
  type = map(string)
  default = { a = "1", b = 2 }
}
