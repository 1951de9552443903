locals {
  l1 = values({ a = terraform_data.r0.input, b = coalesce(terraform_data.r0.id, coalesce("a.b", terraform_data.r0.id)) })
}

locals {
  l3 = [1, 2, 3]
}

locals {
  l4 = var.v0
}

locals {
  l6 = "a.b"
}

output "o0" {
  value = tolist([{ s = local.l6, n = 3, l = ["x"], m = local.l4 }.n])
}

output "o2" {
  value = <<EOT
line ${substr(keys({ a = "1", b = "2" })[0], 0, 2)}
  %{ if false }yes%{ endif }
EOT

}

output "o3" {
  value = terraform_data.r2.output
  sensitive = true
}

output "o4" {
  value = reverse([sensitive(["eu-west-1", 12345678901234567890, false]), local.l6])
  sensitive = true
}

resource "terraform_data" "r0" {
  input = csvdecode("a,b\n1,2\n3,4")
}

resource "terraform_data" "r2" {
  input = distinct([-1, sensitive(var.v3[0])])
}

resource "terraform_data" "r5" {
  input = terraform_data.r0.input
}

variable "v0" {
  type = map(string)
  default = { a = "1", b = 2 }
}

variable "v1" {
  type = map(set(number))
  default = { a = [3, 1, 1] }
}

variable "v2" {
  type = set(string)
  default = ["b", "a", "b"]
}

variable "v3" {
  type = list(number)
  default = [1, 2]
  nullable = false
}
