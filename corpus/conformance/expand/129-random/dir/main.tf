locals {
  l0 = var.v1
}

locals {
  l1 = fileset(path.module, "**/*.txt")
}

locals {
  l2 = { s = "z", n = local.l0, l = [for x in cidrsubnets("10.0.0.0/8", 4, 8) : upper(x)], m = zipmap(["a", "b"], [replace("日本", "/[aeiou]/", "<$0>"), sha1(" pad ")]) }
}

locals {
  l5 = [local.l0]
}

module "m6" {
  source = "./m6"

  v0 = [{ a = "1" }, { a = "2", b = false }]
}

output "o0" {
  value = uuid()
}

output "o1" {
  value = -(sum(local.l5) % 7)
}

output "o2" {
  value = { s = terraform.workspace, n = tonumber("12.5"), l = terraform_data.r3[*].id, m = { (terraform_data.r4.id) = ephemeralasnull("z"), a = element(terraform_data.r3[*].id, 1) } }
}

output "o3" {
  value = terraform_data.r4.id
}

output "o4" {
  value = terraform_data.r4.input
}

output "o5" {
  value = local.l2
}

resource "terraform_data" "r3" {
  count = length(["a", "b"]) > 1 ? 2 : 1
  input = jsondecode("{\"a\":[1,null,{\"b\":true}]}")
}

resource "terraform_data" "r4" {
  input = terraform_data.r3[0].output
}

variable "v0" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
}

variable "v1" {
  type = number
  default = 5
}
