locals {
  l0 = toset(keys({ for x in toset(["a", "b"]) : x => filemd5("${path.module}/text.txt") }))
}

locals {
  l1 = one([2 >= 3 ? var.v3 || true : var.v3 || false])
}

locals {
  l4 = { s = strrev(terraform_data.r2["a"].id), n = length(keys(terraform_data.r2)), l = tolist(keys(terraform_data.r2)), m = tomap({ a = base64sha256(yamldecode(yamlencode(var.v1))) }) }
}

module "m3" {
  source = "./m3"

  v0 = [{ a = "1" }, { a = "2", b = false }]
}

output "o0" {
  value = reverse(concat([1, 2, 3], [2 - 0]))
}

output "o1" {
  value = length(zipmap(["a", "b"], [urlencode("web"), <<-EOT
    line ${1}
      more
  EOT
]))
}

output "o2" {
  value = zipmap(["a", "b"], [var.v1, <<-EOT
    line ${pow(2, 10)}
      more
  EOT
])
}

output "o3" {
  value = module.m3.o2
}

output "o4" {
  value = try(tonumber(terraform_data.r2["a"].id), element([1, 2, 3], 2)) % 7
}

resource "terraform_data" "r2" {
  for_each = { a = var.v1, b = var.v1 }
  input = null
}

variable "v0" {
  type = set(string)
}

variable "v1" {
  type = string
}

variable "v2" {
  type = map(string)
  default = { a = "1", b = 2 }
}

variable "v3" {
  type = bool
  default = "false"
}
