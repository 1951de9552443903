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
  value = 1
  depends_on = [var.nope]
}
output "r1" {
  value = 1
  depends_on = [local.nope]
}
output "r2" {
  value = 1
  depends_on = [terraform_data.nope.id]
}
output "r3" {
  value = 1
  depends_on = [data.terraform_remote_state.nope.outputs]
}
output "r4" {
  value = 1
  depends_on = [module.nope.x]
}
output "r5" {
  value = 1
  depends_on = [each.key]
}
output "r6" {
  value = 1
  depends_on = [each.value]
}
output "r7" {
  value = 1
  depends_on = [each.x]
}
output "r8" {
  value = 1
  depends_on = [each]
}
output "r9" {
  value = 1
  depends_on = [count.index]
}
output "r10" {
  value = 1
  depends_on = [count.x]
}
output "r11" {
  value = 1
  depends_on = [count]
}
output "r12" {
  value = 1
  depends_on = [self.id]
}
output "r13" {
  value = 1
  depends_on = [self]
}
output "r14" {
  value = 1
  depends_on = [path.module]
}
output "r15" {
  value = 1
  depends_on = [path.nope]
}
output "r16" {
  value = 1
  depends_on = [path]
}
output "r17" {
  value = 1
  depends_on = [terraform.workspace]
}
output "r18" {
  value = 1
  depends_on = [terraform.nope]
}
output "r19" {
  value = 1
  depends_on = [var]
}
output "r20" {
  value = 1
  depends_on = [local]
}
output "r21" {
  value = 1
  depends_on = [data]
}
output "r22" {
  value = 1
  depends_on = [data.x]
}
output "r23" {
  value = 1
  depends_on = [module]
}
output "r24" {
  value = 1
  depends_on = [module.m]
}
output "r25" {
  value = 1
  depends_on = [module.m.o]
}
output "r26" {
  value = 1
  depends_on = [module.m.nope]
}
output "r27" {
  value = 1
  depends_on = [terraform_data]
}
output "r28" {
  value = 1
  depends_on = [terraform_data.x]
}
output "r29" {
  value = 1
  depends_on = [terraform_data.x.nope]
}
output "r30" {
  value = 1
  depends_on = [terraform_data.x[0].id]
}
output "r31" {
  value = 1
  depends_on = [terraform_data.c.id]
}
output "r32" {
  value = 1
  depends_on = [terraform_data.c[0].id]
}
output "r33" {
  value = 1
  depends_on = [terraform_data.f.id]
}
output "r34" {
  value = 1
  depends_on = [terraform_data.f["a"].id]
}
output "r35" {
  value = 1
  depends_on = [resource.terraform_data.nope]
}
output "r36" {
  value = 1
  depends_on = [resource.x]
}
output "r37" {
  value = 1
  depends_on = [ephemeral.a.b]
}
output "r38" {
  value = 1
  depends_on = [action.a.b]
}
output "r39" {
  value = 1
  depends_on = [output.x]
}
output "r40" {
  value = 1
  depends_on = [var.l[0]]
}
output "r41" {
  value = 1
  depends_on = [var["l"]]
}
output "r42" {
  value = 1
  depends_on = [local[0]]
}
output "r43" {
  value = 1
  depends_on = [template.x]
}
output "r44" {
  value = 1
  depends_on = [lazy.x]
}
output "r45" {
  value = 1
  depends_on = [arg.x]
}
output "r46" {
  value = 1
  depends_on = [tofu.workspace]
}
output "r47" {
  value = 1
  depends_on = [null_resource.a.id]
}
output "r48" {
  value = 1
  depends_on = [var.o.x.y]
}
output "r49" {
  value = 1
  depends_on = [missing]
}
output "r50" {
  value = 1
  depends_on = [each.key.x]
}
output "r51" {
  value = 1
  depends_on = [terraform_data.x["id"]]
}
output "r52" {
  value = 1
  depends_on = [terraform_data["x"]]
}
output "r53" {
  value = 1
  depends_on = [data.terraform_remote_state["d"]]
}
output "r54" {
  value = 1
  depends_on = [module["m"]]
}
output "r55" {
  value = 1
  depends_on = [check.x]
}
output "r56" {
  value = 1
  depends_on = [run.x]
}
output "r57" {
  value = 1
  depends_on = [string]
}
output "r58" {
  value = 1
  depends_on = [number]
}
output "r59" {
  value = 1
  depends_on = [null]
}
output "r60" {
  value = 1
  depends_on = [true.x]
}
output "r61" {
  value = 1
  depends_on = [path.root.x]
}
output "r62" {
  value = 1
  depends_on = [terraform.workspace.x]
}
output "r63" {
  value = 1
  depends_on = [count.index[0]]
}
output "r64" {
  value = 1
  depends_on = [module.mc.o]
}
output "r65" {
  value = 1
  depends_on = [module.mc[0].o]
}
output "r66" {
  value = 1
  depends_on = [module.mc[0].nope]
}
output "r67" {
  value = 1
  depends_on = [module.mf.o]
}
output "r68" {
  value = 1
  depends_on = [module.mf["a"]]
}
output "r69" {
  value = 1
  depends_on = [data.terraform_remote_state.d.nope]
}
output "r70" {
  value = 1
  depends_on = [data.terraform_remote_state.d[0]]
}
