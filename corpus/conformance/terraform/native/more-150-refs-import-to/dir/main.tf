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
import {
  to = var.nope
  id = "x"
}
import {
  to = local.nope
  id = "x"
}
import {
  to = terraform_data.nope.id
  id = "x"
}
import {
  to = data.terraform_remote_state.nope.outputs
  id = "x"
}
import {
  to = module.nope.x
  id = "x"
}
import {
  to = each.key
  id = "x"
}
import {
  to = each.value
  id = "x"
}
import {
  to = each.x
  id = "x"
}
import {
  to = each
  id = "x"
}
import {
  to = count.index
  id = "x"
}
import {
  to = count.x
  id = "x"
}
import {
  to = count
  id = "x"
}
import {
  to = self.id
  id = "x"
}
import {
  to = self
  id = "x"
}
import {
  to = path.module
  id = "x"
}
import {
  to = path.nope
  id = "x"
}
import {
  to = path
  id = "x"
}
import {
  to = terraform.workspace
  id = "x"
}
import {
  to = terraform.nope
  id = "x"
}
import {
  to = var
  id = "x"
}
import {
  to = local
  id = "x"
}
import {
  to = data
  id = "x"
}
import {
  to = data.x
  id = "x"
}
import {
  to = module
  id = "x"
}
import {
  to = module.m
  id = "x"
}
import {
  to = module.m.o
  id = "x"
}
import {
  to = module.m.nope
  id = "x"
}
import {
  to = terraform_data
  id = "x"
}
import {
  to = terraform_data.x
  id = "x"
}
import {
  to = terraform_data.x.nope
  id = "x"
}
import {
  to = terraform_data.x[0].id
  id = "x"
}
import {
  to = terraform_data.c.id
  id = "x"
}
import {
  to = terraform_data.c[0].id
  id = "x"
}
import {
  to = terraform_data.f.id
  id = "x"
}
import {
  to = terraform_data.f["a"].id
  id = "x"
}
import {
  to = terraform_data.c[*].id
  id = "x"
}
import {
  to = resource.terraform_data.nope
  id = "x"
}
import {
  to = resource.x
  id = "x"
}
import {
  to = ephemeral.a.b
  id = "x"
}
import {
  to = action.a.b
  id = "x"
}
import {
  to = output.x
  id = "x"
}
import {
  to = var.l[0]
  id = "x"
}
import {
  to = var["l"]
  id = "x"
}
import {
  to = local[0]
  id = "x"
}
import {
  to = template.x
  id = "x"
}
import {
  to = lazy.x
  id = "x"
}
import {
  to = arg.x
  id = "x"
}
import {
  to = tofu.workspace
  id = "x"
}
import {
  to = null_resource.a.id
  id = "x"
}
import {
  to = provider::a::b(1)
  id = "x"
}
import {
  to = nofunc(1)
  id = "x"
}
import {
  to = upper()
  id = "x"
}
import {
  to = var.o.x.y
  id = "x"
}
import {
  to = missing
  id = "x"
}
import {
  to = each.key.x
  id = "x"
}
import {
  to = terraform_data.x["id"]
  id = "x"
}
import {
  to = terraform_data["x"]
  id = "x"
}
import {
  to = data.terraform_remote_state["d"]
  id = "x"
}
import {
  to = module["m"]
  id = "x"
}
import {
  to = check.x
  id = "x"
}
import {
  to = run.x
  id = "x"
}
import {
  to = string
  id = "x"
}
import {
  to = number
  id = "x"
}
import {
  to = null
  id = "x"
}
import {
  to = true.x
  id = "x"
}
import {
  to = path.root.x
  id = "x"
}
import {
  to = terraform.workspace.x
  id = "x"
}
import {
  to = count.index[0]
  id = "x"
}
import {
  to = module.mc.o
  id = "x"
}
import {
  to = module.mc[0].o
  id = "x"
}
import {
  to = module.mc[0].nope
  id = "x"
}
import {
  to = module.mc[*].o
  id = "x"
}
import {
  to = module.mf.o
  id = "x"
}
import {
  to = module.mf["a"]
  id = "x"
}
import {
  to = data.terraform_remote_state.d.nope
  id = "x"
}
import {
  to = data.terraform_remote_state.d[0]
  id = "x"
}
