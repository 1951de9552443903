locals {
  l3 = toset([base64sha512(timeadd("2024-02-29T12:30:45Z", "90m")), terraform_data.r2[0].id])
}

locals {
  l4 = jsondecode("[1, 2.50]")[1]
}

locals {
  l5 = [1, 2, 3]
}

locals {
  l6 = var.v1
}

locals {
  l7 = abs(length(toset([terraform_data.r1.id, terraform_data.r1.id])))
}

module "m0" {
  source = "./m0"

  v0 = { s = "p", n = 4, l = ["x"], extra = 1 }
  v4 = ["a", "1"]
}

output "o0" {
  value = terraform_data.r2[*].id
  sensitive = true
}

output "o1" {
  value = terraform_data.r1.output
}

output "o2" {
  value = fileexists("${path.module}/text.txt")
}

output "o3" {
  value = { s = tostring(one([module.m0.o4])), n = abs(local.l4), l = tolist(concat(var.v3, [for x in var.v3 : upper(x)])), m = tomap({ a = timestamp() }) }
  sensitive = true
}

resource "terraform_data" "r1" {
  input = var.v0
}

resource "terraform_data" "r2" {
  count = 3
  input = sensitive(terraform_data.r1.input)
}

variable "v0" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
}

variable "v1" {
  type = set(string)
  default = ["b", "a", "b"]
}

variable "v2" {
  type = list(number)
  default = [1, 2]
}

variable "v3" {
  type = list(string)
  default = [1, "x"]
  sensitive = true
  nullable = false
}
