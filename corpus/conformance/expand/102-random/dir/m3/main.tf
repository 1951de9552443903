locals {
  l1 = zipmap(["a"], [module.m0.o2])
}

locals {
  l2 = tonumber("12.5")
}

locals {
  l3 = length(var.v1)
}

locals {
  l6 = terraform_data.r4.id
}

module "m0" {
  source = "./m0"

  v0 = ["a", "1"]
}

output "o0" {
  value = merge({ s = try(sort(toset(["a", "c"]))[5], lower("z")), n = length(setintersection(toset(["a", "c"]), toset(["a", "c"]))) }, { l = ["x"], m = { a = terraform_data.r5.id } })
  sensitive = true
}

output "o1" {
  value = setintersection(fileset(path.module, "**/*.txt"), setunion(setunion(toset(["a", "c"]), toset(["a", "c"])), toset(["a", "c"])))
}

output "o2" {
  value = local.l6
}

output "o3" {
  value = sensitive(var.v2)
  sensitive = true
}

output "o4" {
  value = toset(keys(try(sensitive(tomap({ a = "x" })), {})))
  sensitive = true
}

output "o5" {
  value = { s = merge({ s = terraform_data.r4.id, n = local.l2 }, { l = ["x"], m = { a = terraform_data.r5.id } }).s, n = length([for x in keys(var.v1) : x if x != "a"]), l = tolist(values(var.v2)), m = tomap({ a = indent(2, sensitive("a")) }) }
  sensitive = true
}

output "o6" {
  value = title(terraform_data.r5.id)
}

output "o7" {
  value = range(3)
}

resource "terraform_data" "r4" {
  input = regexall("(a)(b)?", base64encode(chomp("日本")))
  triggers_replace = tolist([{ a = timeadd("2023-01-01T00:00:00+02:00", "90m") }])
}

resource "terraform_data" "r5" {
  input = try({ for k, v in { for x in toset(["a", "b"]) : x => terraform_data.r4.id } : v => k... }, null)
  triggers_replace = csvdecode("a,b\n1,2\n3,4")
}

variable "v0" {
  type = map(any)
  default = { a = 1, b = "x" }
}

variable "v1" {
  type = map(string)
}

variable "v2" {
  type = map(string)
}

variable "v3" {
  type = any
}

variable "v4" {
  type = list(object({ a = string, b = optional(bool, true) }))
}
