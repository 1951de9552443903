terraform { required_version = ">= 1.0" }
variable "list" {
  type = list(object({ name = string, ports = optional(set(number), [80, 443]), meta = optional(map(string), {}) }))
  default = [{ name = "x" }, { name = "y", ports = [1], meta = { a = 1 } }]
}
variable "any" { 
  type = any
  default = { a = [1, "b", true], b = null } 
}
variable "nn" { 
  type = string
  nullable = false
  default = "dflt" 
}
variable "tfv" { type = number }
variable "auto" { default = "no" }
variable "obj" { type = object({ a = string, b = optional(bool) }) }
locals {
  many = { for i in range(12) : "k${i}" => { n = i, s = i % 3 == 0 ? "fizz" : "none" } }
  flat = flatten([for l in var.list : [for p in l.ports : { name = l.name, port = p }]])
  fm = { for f in local.flat : "${f.name}-${f.port}" => f }
  cond = var.auto == "no" ? [] : [1, 2]
  try1 = try(var.any.zzz, "fallback")
  deep = merge(local.many["k1"], { x = upper(local.many["k2"].s) })
}
resource "terraform_data" "cnt" {
  count = 12
  input = { i = count.index, all = [for k, v in local.many : v.n if v.n < count.index], tag = local.fm }
}
resource "terraform_data" "fe" {
  for_each = local.fm
  input = each.value
  triggers_replace = [terraform_data.cnt[each.value.port % 2].output, terraform_data.cnt[0].id, terraform_data.cnt[*].id]
}
resource "terraform_data" "zero" {
  count = length(local.cond)
  input = 1
}
resource "terraform_data" "set" {
  for_each = toset(concat(["b", "a"], [for x in var.list : x.name]))
  input = "${each.key}=${each.value}"
  lifecycle {
 precondition { 
    
 condition = each.key != "zz"
    error_message = "no"
    }
  }
}
module "one" {
  source = "./mod"
  name = "one"
  cfg = { a = 1 }
}
module "many" {
  for_each = { for k, v in local.many : k => v if v.s == "fizz" }
  source = "./mod"
  name = each.key
  cfg = { a = each.value.n, l = terraform_data.zero }
  extra = terraform_data.cnt[0].id
}
module "ext" {
  source = "./mod/../ext"
  count = 2
  v = [module.one.inner, module.many["k0"].name, module.many[*]]
}
output "o1" { value = local.deep }
output "o2" { value = module.many["k3"].cfg }
output "o3" { value = [for m in module.many : m.name] }
output "o4" { value = module.ext[*].p }
output "o5" { value = terraform_data.zero }
output "o6" { value = var.obj }
output "o7" { value = [var.tfv, var.auto, var.nn, local.try1, var.any] }
output "o8" { value = one(slice(terraform_data.zero[*].id, 0, 1)) }
output "o9" { value = "${path.module}|${path.root}|${terraform.workspace}" }
output "o10" { value = terraform_data.set["a"].input }
output "o11" { value = [for r in terraform_data.fe : r.input.port] }
output "o12" { value = { for k, r in terraform_data.set : k => r.id } }
output "o13" { value = length(terraform_data.cnt) }
output "o14" { value = keys(terraform_data.fe) }
output "o15" { value = values(terraform_data.fe)[*].input.name }
output "o16" { value = terraform_data.cnt[3].input["all"][1] }
output "o17" { 
  value = nonsensitive(sensitive("x")) 
}
output "o18" {
  value = { a = sensitive("q"), b = [sensitive({ z = 1 }), 2] }
  sensitive = true
}
output "o19" { value = format("%s-%05d-%v", "a", 42, [1, 2]) }
output "o20" {
 value = <<-EOT
  hello
    %{for k, v in local.fm~}
    ${k} = ${v.port}
    %{endfor~}
  EOT
}
