locals {
  l1 = [1, 2, 3]
}

locals {
  l3 = uuid()
}

locals {
  l4 = slice(var.v1, 0, 1)
}

module "m0" {
  source = "./m0"
  for_each = { a = var.v0, b = var.v0 }

  v1 = ["a", "1"]
  v2 = { a = 1, b = "x" }
}

output "o1" {
  value = reverse(slice(local.l1, 0, 1))
}

output "o4" {
  value = module.m0["a"].o3 < module.m0["a"].o3
}

output "o5" {
  value = fileset(path.module, "**/*.txt")
}

resource "terraform_data" "r7" {
  count = 0
  input = yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n")
  triggers_replace = module.m0["a"].o2
}

variable "v0" {
  type = string
  default = 42
  nullable = false
}

variable "v1" {
  type = list(string)
  default = [1, "x"]
  nullable = false
}

variable "v2" {
  type = list(string)
  default = [1, "x"]
  sensitive = true
}

variable "v3" {
  type = map(string)
  default = { a = "1", b = 2 }
}
