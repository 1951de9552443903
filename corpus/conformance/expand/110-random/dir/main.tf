locals {
  l0 = formatlist("%s=%s", [for x in ["a", "b"] : upper(x)], indent(2, var.v4))
}

locals {
  l2 = coalescelist([], sort(toset(local.l0)))
}

locals {
  l4 = { a = "1", b = "2" }
}

output "o0" {
  value = -(parseint("ff", 16))
}

output "o1" {
  value = var.v2 >= var.v2 && true && true
}

output "o2" {
  value = concat([zipmap(["a"], [jsondecode(jsonencode(terraform_data.r1.id))])], [sha512(terraform_data.r3[0].id)])
}

output "o3" {
  value = signum(var.v2) < tonumber("12.5")
}

output "o4" {
  value = trimprefix(filemd5("${path.module}/text.txt"), terraform_data.r3[0].id)
}

resource "terraform_data" "r1" {
  input = var.v2
}

resource "terraform_data" "r3" {
  count = 1
  input = { a = var.v0, b = var.v0 }
}

variable "v0" {
  type = map(set(number))
  default = { a = [3, 1, 1] }
  nullable = false
}

variable "v1" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v2" {
  type = number
  default = 5
}

variable "v3" {
  type = set(string)
  default = ["b", "a", "b"]
}

variable "v4" {
  type = string
  default = "text"
}
