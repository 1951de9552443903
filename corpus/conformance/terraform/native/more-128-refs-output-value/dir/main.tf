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
output "r0" {
  value = var.nope
}
output "r1" {
  value = local.nope
}
output "r2" {
  value = terraform_data.nope.id
}
output "r3" {
  value = data.terraform_remote_state.nope.outputs
}
output "r4" {
  value = module.nope.x
}
output "r5" {
  value = each.key
}
output "r6" {
  value = each.value
}
output "r7" {
  value = each.x
}
output "r8" {
  value = each
}
output "r9" {
  value = count.index
}
output "r10" {
  value = count.x
}
output "r11" {
  value = count
}
output "r12" {
  value = self.id
}
output "r13" {
  value = self
}
output "r14" {
  value = path.module
}
output "r15" {
  value = path.nope
}
output "r16" {
  value = path
}
output "r17" {
  value = terraform.workspace
}
output "r18" {
  value = terraform.nope
}
output "r19" {
  value = var
}
output "r20" {
  value = local
}
output "r21" {
  value = data
}
output "r22" {
  value = data.x
}
output "r23" {
  value = module
}
output "r24" {
  value = module.m
}
output "r25" {
  value = module.m.o
}
output "r26" {
  value = module.m.nope
}
output "r27" {
  value = terraform_data
}
output "r28" {
  value = terraform_data.x
}
output "r29" {
  value = terraform_data.x.nope
}
output "r30" {
  value = terraform_data.x[0].id
}
output "r31" {
  value = terraform_data.c.id
}
output "r32" {
  value = terraform_data.c[0].id
}
output "r33" {
  value = terraform_data.f.id
}
output "r34" {
  value = terraform_data.f["a"].id
}
output "r35" {
  value = terraform_data.c[*].id
}
output "r36" {
  value = resource.terraform_data.nope
}
output "r37" {
  value = resource.x
}
output "r38" {
  value = ephemeral.a.b
}
output "r39" {
  value = action.a.b
}
output "r40" {
  value = output.x
}
output "r41" {
  value = var.l[0]
}
output "r42" {
  value = var["l"]
}
output "r43" {
  value = local[0]
}
output "r44" {
  value = template.x
}
output "r45" {
  value = lazy.x
}
output "r46" {
  value = arg.x
}
output "r47" {
  value = tofu.workspace
}
output "r48" {
  value = null_resource.a.id
}
output "r49" {
  value = provider::a::b(1)
}
output "r50" {
  value = nofunc(1)
}
output "r51" {
  value = upper()
}
output "r52" {
  value = var.o.x.y
}
output "r53" {
  value = missing
}
output "r54" {
  value = each.key.x
}
output "r55" {
  value = terraform_data.x["id"]
}
output "r56" {
  value = terraform_data["x"]
}
output "r57" {
  value = data.terraform_remote_state["d"]
}
output "r58" {
  value = module["m"]
}
output "r59" {
  value = check.x
}
output "r60" {
  value = run.x
}
output "r61" {
  value = string
}
output "r62" {
  value = number
}
output "r63" {
  value = null
}
output "r64" {
  value = true.x
}
output "r65" {
  value = path.root.x
}
output "r66" {
  value = terraform.workspace.x
}
output "r67" {
  value = count.index[0]
}
output "r68" {
  value = module.mc.o
}
output "r69" {
  value = module.mc[0].o
}
output "r70" {
  value = module.mc[0].nope
}
output "r71" {
  value = module.mc[*].o
}
output "r72" {
  value = module.mf.o
}
output "r73" {
  value = module.mf["a"]
}
output "r74" {
  value = data.terraform_remote_state.d.nope
}
output "r75" {
  value = data.terraform_remote_state.d[0]
}
