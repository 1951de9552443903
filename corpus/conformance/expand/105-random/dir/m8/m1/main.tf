locals {
  l0 = trimspace(base64encode(format("%s-%s", "42", "web")))
}

locals {
  l2 = [jsondecode("[1, 2.50]")[1], sensitive(lookup({ a = -1 }, "a", 12345678901234567890))]
}

locals {
  l5 = terraform_data.r1["a"].id
}

locals {
  l6 = tonumber("12.5")
}

output "o0" {
  value = { (tostring(var.v1)) = terraform_data.r4.id, a = regex("[a-z]*", terraform_data.r1["a"].id) }
}

output "o1" {
  value = base64sha512(replace(yamldecode(yamlencode("a")), local.l0, ephemeralasnull(local.l0)))
  sensitive = true
}

output "o2" {
  value = toset(["a", "c"])
  sensitive = true
}

output "o3" {
  value = textdecodebase64(textencodebase64(terraform_data.r3.id, "UTF-8"), "UTF-8")
}

resource "terraform_data" "r1" {
  for_each = toset(["a", "b"])
  input = try(chunklist(reverse(["a", "b"]), 2), null)
}

resource "terraform_data" "r3" {
  input = distinct([var.v1, try(tonumber(uuidv5("dns", " pad ")), var.v1)])
  triggers_replace = terraform_data.r1["a"].input
}

resource "terraform_data" "r4" {
  input = chunklist([for i, x in sort(toset(["a", "c"])) : "${i}${x}" if i < 2], 2)
  triggers_replace = { for i, x in keys(terraform_data.r1) : "k${i}" => x }
}

variable "v0" {
  type = list(number)
  default = [1, 2]
  sensitive = true
}

variable "v1" {
  type = number
  nullable = false
}

variable "v2" {
  type = bool
  default = "false"
  sensitive = true
}

variable "v3" {
  type = list(object({ a = string, b = optional(bool, true) }))
  default = [{ a = "1" }, { a = "2", b = false }]
}
