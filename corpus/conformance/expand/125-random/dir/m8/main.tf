locals {
  l2 = range(1, 10, length(keys(tomap({ a = "x" }))) == 0 ? 1 : 4)
}

locals {
  l4 = ceil(module.m1[0].o2)
}

locals {
  l7 = module.m1[0].o2 < ceil(index(["a", "b"], "b"))
}

module "m1" {
  source = "./m1"
  count = 1

  v0 = var.v1
  v1 = ["a", "1"]
  v2 = [1, 2]
  v3 = { s = "p", n = 4, l = ["x"], extra = 1 }
}

module "m3" {
  source = "./m3"

  v0 = ["a", "1"]
  v1 = "false"
  v2 = [{ a = "1" }, { a = "2", b = false }]
  v3 = [{ a = "1" }, { a = "2", b = false }]
}

output "o1" {
  value = terraform_data.r5["a"].id
  sensitive = true
}

output "o2" {
  value = formatdate("YYYY-MM-DD hh:mm", "2024-02-29T12:30:45Z")
}

output "o3" {
  value = { (terraform_data.r6[0].id) = "$${x}", a = "true" }
}

output "o4" {
  value = terraform_data.r5["a"].output
}

output "o5" {
  value = strcontains(terraform_data.r5["a"].id, terraform_data.r5["a"].id)
}

output "o6" {
  value = module.m3.o3
}

output "o7" {
  value = setunion(toset(keys({ a = "é", b = "true" })), [timeadd("2023-01-01T00:00:00+02:00", "90m")])
}

resource "terraform_data" "r5" {
  for_each = toset(["a", "b"])
  input = var.v0
}

resource "terraform_data" "r6" {
  count = 3
  input = { x = local.l4, y = [lower(module.m3.o6), null] }
}

variable "v0" {
  type = tuple([string, number])
}

variable "v1" {
  type = set(string)
}
