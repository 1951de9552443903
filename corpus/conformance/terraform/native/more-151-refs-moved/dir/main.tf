variable "l" {
  type = list(string)
}
variable "o" {
  type = object({x = string})
}
locals {
  k = 1
}
module "m" {
  source = "./m"
}
module "mc" {
  source = "./m"
  count = 2
}
module "mf" {
  source = "./m"
  for_each = {"a" = 1}
}
data "terraform_remote_state" "d" {
  backend = "local"
}
resource "terraform_data" "x" {
}
resource "terraform_data" "c" {
  count = 2
}
resource "terraform_data" "f" {
  for_each = {"a" = 1}
}
moved {
  from = var.nope
  to = terraform_data.x
}
moved {
  from = local.nope
  to = terraform_data.x
}
moved {
  from = terraform_data.nope.id
  to = terraform_data.x
}
moved {
  from = data.terraform_remote_state.nope.outputs
  to = terraform_data.x
}
moved {
  from = module.nope.x
  to = terraform_data.x
}
moved {
  from = each.key
  to = terraform_data.x
}
moved {
  from = each.value
  to = terraform_data.x
}
moved {
  from = each.x
  to = terraform_data.x
}
moved {
  from = each
  to = terraform_data.x
}
moved {
  from = count.index
  to = terraform_data.x
}
moved {
  from = count.x
  to = terraform_data.x
}
moved {
  from = count
  to = terraform_data.x
}
moved {
  from = self.id
  to = terraform_data.x
}
moved {
  from = self
  to = terraform_data.x
}
moved {
  from = path.module
  to = terraform_data.x
}
moved {
  from = path.nope
  to = terraform_data.x
}
moved {
  from = path
  to = terraform_data.x
}
moved {
  from = terraform.workspace
  to = terraform_data.x
}
moved {
  from = terraform.nope
  to = terraform_data.x
}
moved {
  from = var
  to = terraform_data.x
}
moved {
  from = local
  to = terraform_data.x
}
moved {
  from = data
  to = terraform_data.x
}
moved {
  from = data.x
  to = terraform_data.x
}
moved {
  from = module
  to = terraform_data.x
}
moved {
  from = module.m
  to = terraform_data.x
}
moved {
  from = module.m.o
  to = terraform_data.x
}
moved {
  from = module.m.nope
  to = terraform_data.x
}
moved {
  from = terraform_data
  to = terraform_data.x
}
moved {
  from = terraform_data.x
  to = terraform_data.x
}
moved {
  from = terraform_data.x.nope
  to = terraform_data.x
}
moved {
  from = terraform_data.x[0].id
  to = terraform_data.x
}
moved {
  from = terraform_data.c.id
  to = terraform_data.x
}
moved {
  from = terraform_data.c[0].id
  to = terraform_data.x
}
moved {
  from = terraform_data.f.id
  to = terraform_data.x
}
moved {
  from = terraform_data.f["a"].id
  to = terraform_data.x
}
moved {
  from = terraform_data.c[*].id
  to = terraform_data.x
}
moved {
  from = resource.terraform_data.nope
  to = terraform_data.x
}
moved {
  from = resource.x
  to = terraform_data.x
}
moved {
  from = ephemeral.a.b
  to = terraform_data.x
}
moved {
  from = action.a.b
  to = terraform_data.x
}
moved {
  from = output.x
  to = terraform_data.x
}
moved {
  from = var.l[0]
  to = terraform_data.x
}
moved {
  from = var["l"]
  to = terraform_data.x
}
moved {
  from = local[0]
  to = terraform_data.x
}
moved {
  from = template.x
  to = terraform_data.x
}
moved {
  from = lazy.x
  to = terraform_data.x
}
moved {
  from = arg.x
  to = terraform_data.x
}
moved {
  from = tofu.workspace
  to = terraform_data.x
}
moved {
  from = null_resource.a.id
  to = terraform_data.x
}
moved {
  from = provider::a::b(1)
  to = terraform_data.x
}
moved {
  from = nofunc(1)
  to = terraform_data.x
}
moved {
  from = upper()
  to = terraform_data.x
}
moved {
  from = var.o.x.y
  to = terraform_data.x
}
moved {
  from = missing
  to = terraform_data.x
}
moved {
  from = each.key.x
  to = terraform_data.x
}
moved {
  from = terraform_data.x["id"]
  to = terraform_data.x
}
moved {
  from = terraform_data["x"]
  to = terraform_data.x
}
moved {
  from = data.terraform_remote_state["d"]
  to = terraform_data.x
}
moved {
  from = module["m"]
  to = terraform_data.x
}
moved {
  from = check.x
  to = terraform_data.x
}
moved {
  from = run.x
  to = terraform_data.x
}
moved {
  from = string
  to = terraform_data.x
}
moved {
  from = number
  to = terraform_data.x
}
moved {
  from = null
  to = terraform_data.x
}
moved {
  from = true.x
  to = terraform_data.x
}
moved {
  from = path.root.x
  to = terraform_data.x
}
moved {
  from = terraform.workspace.x
  to = terraform_data.x
}
moved {
  from = count.index[0]
  to = terraform_data.x
}
moved {
  from = module.mc.o
  to = terraform_data.x
}
moved {
  from = module.mc[0].o
  to = terraform_data.x
}
moved {
  from = module.mc[0].nope
  to = terraform_data.x
}
moved {
  from = module.mc[*].o
  to = terraform_data.x
}
moved {
  from = module.mf.o
  to = terraform_data.x
}
moved {
  from = module.mf["a"]
  to = terraform_data.x
}
moved {
  from = data.terraform_remote_state.d.nope
  to = terraform_data.x
}
moved {
  from = data.terraform_remote_state.d[0]
  to = terraform_data.x
}
