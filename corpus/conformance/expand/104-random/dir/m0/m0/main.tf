locals {
  l3 = sha256(terraform_data.r1[0].id)
}

locals {
  l4 = zipmap(["a", "b"], [filebase64sha512("${path.module}/text.txt"), tostring(strcontains("a.b", "x,y"))])
}

locals {
  l5 = slice(terraform_data.r1[*].id, 0, 1)
}

locals {
  l6 = abs(jsondecode("[1, 2.50]")[1])
}

output "o0" {
  value = setintersection(fileset(path.module, "**/*.txt"), fileset(path.module, "**/*.txt"))
}

output "o1" {
  value = indent(2, <<EOT
line ${formatdate("YYYY-MM-DD hh:mm", "2024-02-29T12:30:45Z")}
  %{ if anytrue([false, false]) }yes%{ endif }
EOT
)
}

output "o2" {
  value = [1, 2, 3]
}

output "o3" {
  value = terraform_data.r2.input == terraform_data.r0.input
}

output "o4" {
  value = [for x in var.v2 : x]
  sensitive = true
}

resource "terraform_data" "r0" {
  input = { for k, v in { a = "1", b = "2" } : v => k... }
  triggers_replace = false
}

resource "terraform_data" "r1" {
  count = length(tolist(toset(["a", "c"]))) > 1 ? 2 : 1
  input = jsondecode("{\"a\":[1,null,{\"b\":true}]}")
}

resource "terraform_data" "r2" {
  input = { (terraform_data.r0.id) = terraform_data.r1[0].id, a = values({ a = "1", b = "2" })[0] }
  triggers_replace = yamldecode(yamlencode(concat([{ for k, v in { a = "1", b = "2" } : v => k... }], [basename(terraform_data.r0.id)])))
}

variable "v0" {
  type = number
}

variable "v1" {
  type = tuple([string, number])
  default = ["a", "1"]
}

variable "v2" {
  type = set(string)
  default = ["b", "a", "b"]
  sensitive = true
}

variable "v3" {
  type = number
}
