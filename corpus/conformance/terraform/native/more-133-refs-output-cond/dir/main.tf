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
  value = true ? var.nope : 1
}
output "r1" {
  value = true ? local.nope : 1
}
output "r2" {
  value = true ? terraform_data.nope.id : 1
}
output "r3" {
  value = true ? data.terraform_remote_state.nope.outputs : 1
}
output "r4" {
  value = true ? module.nope.x : 1
}
output "r5" {
  value = true ? each.key : 1
}
output "r6" {
  value = true ? each.value : 1
}
output "r7" {
  value = true ? each.x : 1
}
output "r8" {
  value = true ? each : 1
}
output "r9" {
  value = true ? count.index : 1
}
output "r10" {
  value = true ? count.x : 1
}
output "r11" {
  value = true ? count : 1
}
output "r12" {
  value = true ? self.id : 1
}
output "r13" {
  value = true ? self : 1
}
output "r14" {
  value = true ? path.module : 1
}
output "r15" {
  value = true ? path.nope : 1
}
output "r16" {
  value = true ? path : 1
}
output "r17" {
  value = true ? terraform.workspace : 1
}
output "r18" {
  value = true ? terraform.nope : 1
}
output "r19" {
  value = true ? var : 1
}
output "r20" {
  value = true ? local : 1
}
output "r21" {
  value = true ? data : 1
}
output "r22" {
  value = true ? data.x : 1
}
output "r23" {
  value = true ? module : 1
}
output "r24" {
  value = true ? module.m : 1
}
output "r25" {
  value = true ? module.m.o : 1
}
output "r26" {
  value = true ? module.m.nope : 1
}
output "r27" {
  value = true ? terraform_data : 1
}
output "r28" {
  value = true ? terraform_data.x : 1
}
output "r29" {
  value = true ? terraform_data.x.nope : 1
}
output "r30" {
  value = true ? terraform_data.x[0].id : 1
}
output "r31" {
  value = true ? terraform_data.c.id : 1
}
output "r32" {
  value = true ? terraform_data.c[0].id : 1
}
output "r33" {
  value = true ? terraform_data.f.id : 1
}
output "r34" {
  value = true ? terraform_data.f["a"].id : 1
}
output "r35" {
  value = true ? terraform_data.c[*].id : 1
}
output "r36" {
  value = true ? resource.terraform_data.nope : 1
}
output "r37" {
  value = true ? resource.x : 1
}
output "r38" {
  value = true ? ephemeral.a.b : 1
}
output "r39" {
  value = true ? action.a.b : 1
}
output "r40" {
  value = true ? output.x : 1
}
output "r41" {
  value = true ? var.l[0] : 1
}
output "r42" {
  value = true ? var["l"] : 1
}
output "r43" {
  value = true ? local[0] : 1
}
output "r44" {
  value = true ? template.x : 1
}
output "r45" {
  value = true ? lazy.x : 1
}
output "r46" {
  value = true ? arg.x : 1
}
output "r47" {
  value = true ? tofu.workspace : 1
}
output "r48" {
  value = true ? null_resource.a.id : 1
}
output "r49" {
  value = true ? provider::a::b(1) : 1
}
output "r50" {
  value = true ? nofunc(1) : 1
}
output "r51" {
  value = true ? upper() : 1
}
output "r52" {
  value = true ? var.o.x.y : 1
}
output "r53" {
  value = true ? missing : 1
}
output "r54" {
  value = true ? each.key.x : 1
}
output "r55" {
  value = true ? terraform_data.x["id"] : 1
}
output "r56" {
  value = true ? terraform_data["x"] : 1
}
output "r57" {
  value = true ? data.terraform_remote_state["d"] : 1
}
output "r58" {
  value = true ? module["m"] : 1
}
output "r59" {
  value = true ? check.x : 1
}
output "r60" {
  value = true ? run.x : 1
}
output "r61" {
  value = true ? string : 1
}
output "r62" {
  value = true ? number : 1
}
output "r63" {
  value = true ? null : 1
}
output "r64" {
  value = true ? true.x : 1
}
output "r65" {
  value = true ? path.root.x : 1
}
output "r66" {
  value = true ? terraform.workspace.x : 1
}
output "r67" {
  value = true ? count.index[0] : 1
}
output "r68" {
  value = true ? module.mc.o : 1
}
output "r69" {
  value = true ? module.mc[0].o : 1
}
output "r70" {
  value = true ? module.mc[0].nope : 1
}
output "r71" {
  value = true ? module.mc[*].o : 1
}
output "r72" {
  value = true ? module.mf.o : 1
}
output "r73" {
  value = true ? module.mf["a"] : 1
}
output "r74" {
  value = true ? data.terraform_remote_state.d.nope : 1
}
output "r75" {
  value = true ? data.terraform_remote_state.d[0] : 1
}
