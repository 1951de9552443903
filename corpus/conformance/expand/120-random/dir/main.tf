locals {
  l0 = substr(sha512(element(var.v1, 1)), 0, 2)
}

locals {
  l1 = toset(["a", "c"])
}

locals {
  l2 = var.v0 != null
}

locals {
  l5 = { s = values(module.m4.o2)[0], n = module.m4.o1, l = sort(values(tomap({ a = "x" }))), m = module.m4.o2 }
}

locals {
  l6 = signum(module.m4.o4) < module.m4.o1
}

module "m4" {
  source = "./m4"

  v0 = ["b", "a", "b"]
  v1 = "é"
}

module "m7" {
  source = "./m7"
  count = length(var.v1) > 1 ? 2 : 1

  v0 = [module.m4.o4 * 1e3]
  v1 = { a = [3, 1, 1] }
  v2 = [1, "x"]
  v4 = ["a", "1"]
}

output "o0" {
  value = local.l1
}

output "o1" {
  value = var.v0
}

output "o2" {
  value = element([var.v0], 3)
}

output "o3" {
  value = length(keys(module.m4.o2))
}

output "o4" {
  value = tolist([{ a = jsonencode(module.m4.o2) }])
}

output "o5" {
  value = module.m7[0].o0
  sensitive = true
}

output "o6" {
  value = [index(["a", "b"], "b")]
}

resource "terraform_data" "r3" {
  input = [[trim(local.l0, local.l0)], []]
}

variable "v0" {
  type = map(any)
  default = { a = 1, b = "x" }
}

variable "v1" {
  type = list(string)
  default = [1, "x"]
}
