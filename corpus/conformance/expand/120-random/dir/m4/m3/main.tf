locals {
  l2 = min(parseint("ff", 16), try(tonumber(md5("db")), jsondecode("[1, 2.50]")[1]), length([for x in formatlist("%s=%s", keys(terraform_data.r0), "c") : x if x != "a"]))
}

locals {
  l3 = toset(["a", "c"])
}

locals {
  l4 = sort(setintersection(local.l3, toset(["日本", terraform_data.r1.id])))
}

output "o0" {
  value = reverse([tobool("true"), plantimestamp() == null ? yamldecode(yamlencode("")) : terraform_data.r1.id])
}

output "o1" {
  value = terraform_data.r0["a"].input
}

output "o2" {
  value = { s = filemd5("${path.module}/text.txt"), n = local.l2, l = tolist(cidrsubnets("10.0.0.0/8", 4, 8)), m = tomap({ a = terraform_data.r0["a"].id }) }
}

output "o3" {
  value = true
}

resource "terraform_data" "r0" {
  for_each = { a = base64sha512(false ? "Hello World" : ""), b = substr("web", -2, -1) }
  input = regex("(?P<first>.)?", tolist(toset(["a", "c"]))[0])
}

resource "terraform_data" "r1" {
  input = terraform_data.r0["a"].id
}

variable "v0" {
  type = list(object({ a = string, b = optional(bool, true) }))
  nullable = false
}

variable "v1" {
  type = map(set(number))
  default = { a = [3, 1, 1] }
}
