locals {
  l0 = ["a", "b"]
}

locals {
  l1 = { for k, v in { for k, v in { for x in toset(["a", "b"]) : x => "eu-west-1" } : k => v if v != " pad " } : k => v if v != concat(local.l0, ["a", "b"])[0] }
}

locals {
  l3 = sha512(plantimestamp() == null ? module.m2.o4 : module.m2.o4)
}

locals {
  l4 = concat(range(3), [var.v1])
}

locals {
  l5 = { for x in toset(["a", "b"]) : x => "%{ if module.m2.o0 ? true : module.m2.o0 }${module.m2.o4}%{ else }no%{ endif }" }
}

locals {
  l6 = module.m2.o0
}

module "m2" {
  source = "./m2"

  v0 = { a = [3, 1, 1] }
  v2 = ["b", "a", "b"]
  v3 = true
}

module "m8" {
  source = "./m8"
  count = 1

  v0 = { a = 1, b = "x" }
  v1 = { s = timeadd("2024-02-29T12:30:45Z", "90m"), n = timecmp("2023-01-01T00:00:00+02:00", "2024-02-29T12:30:45Z"), l = tolist(local.l0), m = tomap({ a = module.m2.o4 }) }
}

output "o0" {
  value = module.m8[0].o3
}

output "o1" {
  value = csvdecode("a,b\n1,2\n3,4")
}

output "o2" {
  value = tolist([var.v1])
}

output "o3" {
  value = [floor(module.m8[0].o3)]
}

output "o4" {
  value = toset(keys(zipmap(["a", "b"], [true ? module.m2.o4 : module.m2.o4, trimsuffix("eu-west-1", module.m2.o4)])))
}

resource "terraform_data" "r7" {
  for_each = { a = indent(2, module.m2.o4), b = local.l3 }
  input = var.v2
  triggers_replace = module.m2.o3
}

variable "v0" {
  type = set(string)
  default = ["b", "a", "b"]
}

variable "v1" {
  type = number
  default = 5
  nullable = false
}

variable "v2" {
  type = map(set(number))
  default = { a = [3, 1, 1] }
}

variable "v3" {
  type = list(string)
  default = [1, "x"]
}

variable "v4" {
  type = set(string)
  default = ["b", "a", "b"]
  sensitive = true
}
