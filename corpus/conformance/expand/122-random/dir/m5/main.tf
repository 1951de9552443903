locals {
  l0 = 10
}

locals {
  l1 = { s = "eu-west-1", n = abs(local.l0), l = tolist(sort(toset(keys(tomap({ a = "x" }))))), m = tomap({ a = sensitive(sha1("one\ntwo")) }) }
}

locals {
  l6 = yamldecode("a: [1, two, yes]\nb: &x {c: d}\ne: *x\n")
}

locals {
  l8 = length(var.v1 == null ? [] : [1])
}

module "m2" {
  source = "./m2"
  for_each = toset(["a", "b"])

  v1 = 5
  v3 = regexall("[a-z]+", uuidv5("dns", "web"))
  v4 = tolist([length(toset(["a", "c"]))])
}

output "o0" {
  value = regex("(?P<first>.)?", terraform_data.r9.id)
  sensitive = true
}

output "o1" {
  value = { a = "1", b = "2" }
}

output "o2" {
  value = filesha256("${path.module}/text.txt")
}

output "o3" {
  value = module.m2["a"].o3
}

resource "terraform_data" "r3" {
  count = 3
  input = var.v1
}

resource "terraform_data" "r4" {
  input = values({ a = [for k, v in { a = terraform_data.r3[*].input, b = terraform_data.r3[0].input } : { (k) = v }], b = filebase64sha512("${path.module}/text.txt") })
  triggers_replace = setunion(toset(["db", "a"]), setintersection(toset(["a", "c"]), toset(["a", "c"])))
}

resource "terraform_data" "r5" {
  input = setproduct(toset(formatlist("%s=%s", ["x"], "c")), [1, 2])
}

resource "terraform_data" "r7" {
  input = -(local.l0)
}

resource "terraform_data" "r9" {
  input = reverse([[[terraform_data.r7.id], []], <<EOT
line ${terraform_data.r5.id}
  %{ if contains(terraform_data.r3[*].id, "42") }yes%{ endif }
EOT
])
  triggers_replace = { for k in distinct(chunklist(module.m2["a"].o3, 2)[0]) : k => length(k)... }
}

variable "v0" {
  type = bool
}

variable "v1" {
  type = map(set(number))
}
