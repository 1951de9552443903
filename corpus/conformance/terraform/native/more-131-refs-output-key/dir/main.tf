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
  value = {"${var.nope}" = 1}
}
output "r1" {
  value = {"${local.nope}" = 1}
}
output "r2" {
  value = {"${terraform_data.nope.id}" = 1}
}
output "r3" {
  value = {"${data.terraform_remote_state.nope.outputs}" = 1}
}
output "r4" {
  value = {"${module.nope.x}" = 1}
}
output "r5" {
  value = {"${each.key}" = 1}
}
output "r6" {
  value = {"${each.value}" = 1}
}
output "r7" {
  value = {"${each.x}" = 1}
}
output "r8" {
  value = {"${each}" = 1}
}
output "r9" {
  value = {"${count.index}" = 1}
}
output "r10" {
  value = {"${count.x}" = 1}
}
output "r11" {
  value = {"${count}" = 1}
}
output "r12" {
  value = {"${self.id}" = 1}
}
output "r13" {
  value = {"${self}" = 1}
}
output "r14" {
  value = {"${path.module}" = 1}
}
output "r15" {
  value = {"${path.nope}" = 1}
}
output "r16" {
  value = {"${path}" = 1}
}
output "r17" {
  value = {"${terraform.workspace}" = 1}
}
output "r18" {
  value = {"${terraform.nope}" = 1}
}
output "r19" {
  value = {"${var}" = 1}
}
output "r20" {
  value = {"${local}" = 1}
}
output "r21" {
  value = {"${data}" = 1}
}
output "r22" {
  value = {"${data.x}" = 1}
}
output "r23" {
  value = {"${module}" = 1}
}
output "r24" {
  value = {"${module.m}" = 1}
}
output "r25" {
  value = {"${module.m.o}" = 1}
}
output "r26" {
  value = {"${module.m.nope}" = 1}
}
output "r27" {
  value = {"${terraform_data}" = 1}
}
output "r28" {
  value = {"${terraform_data.x}" = 1}
}
output "r29" {
  value = {"${terraform_data.x.nope}" = 1}
}
output "r30" {
  value = {"${terraform_data.x[0].id}" = 1}
}
output "r31" {
  value = {"${terraform_data.c.id}" = 1}
}
output "r32" {
  value = {"${terraform_data.c[0].id}" = 1}
}
output "r33" {
  value = {"${terraform_data.f.id}" = 1}
}
output "r34" {
  value = {"${terraform_data.f["a"].id}" = 1}
}
output "r35" {
  value = {"${terraform_data.c[*].id}" = 1}
}
output "r36" {
  value = {"${resource.terraform_data.nope}" = 1}
}
output "r37" {
  value = {"${resource.x}" = 1}
}
output "r38" {
  value = {"${ephemeral.a.b}" = 1}
}
output "r39" {
  value = {"${action.a.b}" = 1}
}
output "r40" {
  value = {"${output.x}" = 1}
}
output "r41" {
  value = {"${var.l[0]}" = 1}
}
output "r42" {
  value = {"${var["l"]}" = 1}
}
output "r43" {
  value = {"${local[0]}" = 1}
}
output "r44" {
  value = {"${template.x}" = 1}
}
output "r45" {
  value = {"${lazy.x}" = 1}
}
output "r46" {
  value = {"${arg.x}" = 1}
}
output "r47" {
  value = {"${tofu.workspace}" = 1}
}
output "r48" {
  value = {"${null_resource.a.id}" = 1}
}
output "r49" {
  value = {"${provider::a::b(1)}" = 1}
}
output "r50" {
  value = {"${nofunc(1)}" = 1}
}
output "r51" {
  value = {"${upper()}" = 1}
}
output "r52" {
  value = {"${var.o.x.y}" = 1}
}
output "r53" {
  value = {"${missing}" = 1}
}
output "r54" {
  value = {"${each.key.x}" = 1}
}
output "r55" {
  value = {"${terraform_data.x["id"]}" = 1}
}
output "r56" {
  value = {"${terraform_data["x"]}" = 1}
}
output "r57" {
  value = {"${data.terraform_remote_state["d"]}" = 1}
}
output "r58" {
  value = {"${module["m"]}" = 1}
}
output "r59" {
  value = {"${check.x}" = 1}
}
output "r60" {
  value = {"${run.x}" = 1}
}
output "r61" {
  value = {"${string}" = 1}
}
output "r62" {
  value = {"${number}" = 1}
}
output "r63" {
  value = {"${null}" = 1}
}
output "r64" {
  value = {"${true.x}" = 1}
}
output "r65" {
  value = {"${path.root.x}" = 1}
}
output "r66" {
  value = {"${terraform.workspace.x}" = 1}
}
output "r67" {
  value = {"${count.index[0]}" = 1}
}
output "r68" {
  value = {"${module.mc.o}" = 1}
}
output "r69" {
  value = {"${module.mc[0].o}" = 1}
}
output "r70" {
  value = {"${module.mc[0].nope}" = 1}
}
output "r71" {
  value = {"${module.mc[*].o}" = 1}
}
output "r72" {
  value = {"${module.mf.o}" = 1}
}
output "r73" {
  value = {"${module.mf["a"]}" = 1}
}
output "r74" {
  value = {"${data.terraform_remote_state.d.nope}" = 1}
}
output "r75" {
  value = {"${data.terraform_remote_state.d[0]}" = 1}
}
