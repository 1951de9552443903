locals {
  l1 = "${format("%05.1f|%v|%q", min(-0.25, 1, 10), chunklist(["x"], 2), var.v1)}-${2}"
}

locals {
  l4 = 3
}

module "m5" {
  source = "./m5"
  for_each = toset(["a", "b"])

  v0 = null
  v1 = null
  v2 = true
  v3 = { a = "1", b = "2" }
}

output "o0" {
  value = [for x in module.m5["a"].o0 ? setunion(toset(["a", "c"]), toset(["a", "c"])) : setsubtract(toset(["a", "c"]), toset(["a", "c"])) : x]
}

output "o1" {
  value = { a = "1", b = "2" }
}

output "o2" {
  value = textdecodebase64(textencodebase64(values(try({ a = "1", b = "2" }, {}))[0], "UTF-8"), "UTF-8")
}

output "o3" {
  value = { s = basename(values(tomap({ a = "x" }))[0]), n = module.m5["a"].o1, l = tolist(var.v2), m = tomap({ a = cidrhost("10.1.0.0/16", 5) }) }
}

output "o4" {
  value = var.v2
}

output "o5" {
  value = trimsuffix(timestamp(), sensitive(base64encode(var.v1)))
  sensitive = true
}

resource "terraform_data" "r0" {
  for_each = toset(["a", "b"])
  input = sensitive(tolist([{ a = cidrhost("10.1.0.0/16", 5) }]))
  triggers_replace = null
}

resource "terraform_data" "r2" {
  for_each = toset(["a", "b"])
  input = try(one([]), null)
}

resource "terraform_data" "r3" {
  for_each = { a = terraform_data.r0["a"].id, b = "%{ if true }${local.l1}%{ else }no%{ endif }" }
  input = terraform_data.r0["a"].output
  triggers_replace = distinct([ceil(sum([1, 2, 3])), timecmp("2024-02-29T12:30:45Z", "2023-01-01T00:00:00+02:00")])
}

variable "v0" {
  type = string
  default = 42
}

variable "v1" {
  type = string
  default = 42
  nullable = false
}

variable "v2" {
  type = list(string)
  default = ["a", "b"]
}

variable "v3" {
  type = any
  default = { a = ["x"] }
  sensitive = true
}
