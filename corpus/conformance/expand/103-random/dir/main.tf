locals {
  l0 = [for x in compact(values(tomap({ a = "x" }))) : length(x)]
}

locals {
  l1 = filemd5("${path.module}/text.txt")
}

locals {
  l4 = lookup({ a = var.v0 }, "a", var.v0)
}

locals {
  l6 = try(tomap({ a = terraform_data.r5["a"].id, k1 = "" }), {})
}

module "m2" {
  source = "./m2"

  v1 = [1, "x"]
}

output "o0" {
  value = slice(concat(local.l0, [jsondecode("[1, 2.50]")[1]]), 0, 1)
}

output "o2" {
  value = [var.v0, floor(local.l4)]
}

resource "terraform_data" "r5" {
  for_each = toset(["a", "b"])
  input = jsondecode("{\"a\":[1,null,{\"b\":true}]}")
}

variable "v0" {
  type = number
  default = "7"
}

variable "v1" {
  type = bool
  default = true
  nullable = false
}

variable "v2" {
  type = set(string)
  default = ["b", "a", "b"]
  sensitive = true
}
