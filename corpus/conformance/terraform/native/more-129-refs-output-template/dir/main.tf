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
  value = "a ${var.nope} b"
}
output "r1" {
  value = "a ${local.nope} b"
}
output "r2" {
  value = "a ${terraform_data.nope.id} b"
}
output "r3" {
  value = "a ${data.terraform_remote_state.nope.outputs} b"
}
output "r4" {
  value = "a ${module.nope.x} b"
}
output "r5" {
  value = "a ${each.key} b"
}
output "r6" {
  value = "a ${each.value} b"
}
output "r7" {
  value = "a ${each.x} b"
}
output "r8" {
  value = "a ${each} b"
}
output "r9" {
  value = "a ${count.index} b"
}
output "r10" {
  value = "a ${count.x} b"
}
output "r11" {
  value = "a ${count} b"
}
output "r12" {
  value = "a ${self.id} b"
}
output "r13" {
  value = "a ${self} b"
}
output "r14" {
  value = "a ${path.module} b"
}
output "r15" {
  value = "a ${path.nope} b"
}
output "r16" {
  value = "a ${path} b"
}
output "r17" {
  value = "a ${terraform.workspace} b"
}
output "r18" {
  value = "a ${terraform.nope} b"
}
output "r19" {
  value = "a ${var} b"
}
output "r20" {
  value = "a ${local} b"
}
output "r21" {
  value = "a ${data} b"
}
output "r22" {
  value = "a ${data.x} b"
}
output "r23" {
  value = "a ${module} b"
}
output "r24" {
  value = "a ${module.m} b"
}
output "r25" {
  value = "a ${module.m.o} b"
}
output "r26" {
  value = "a ${module.m.nope} b"
}
output "r27" {
  value = "a ${terraform_data} b"
}
output "r28" {
  value = "a ${terraform_data.x} b"
}
output "r29" {
  value = "a ${terraform_data.x.nope} b"
}
output "r30" {
  value = "a ${terraform_data.x[0].id} b"
}
output "r31" {
  value = "a ${terraform_data.c.id} b"
}
output "r32" {
  value = "a ${terraform_data.c[0].id} b"
}
output "r33" {
  value = "a ${terraform_data.f.id} b"
}
output "r34" {
  value = "a ${terraform_data.f["a"].id} b"
}
output "r35" {
  value = "a ${terraform_data.c[*].id} b"
}
output "r36" {
  value = "a ${resource.terraform_data.nope} b"
}
output "r37" {
  value = "a ${resource.x} b"
}
output "r38" {
  value = "a ${ephemeral.a.b} b"
}
output "r39" {
  value = "a ${action.a.b} b"
}
output "r40" {
  value = "a ${output.x} b"
}
output "r41" {
  value = "a ${var.l[0]} b"
}
output "r42" {
  value = "a ${var["l"]} b"
}
output "r43" {
  value = "a ${local[0]} b"
}
output "r44" {
  value = "a ${template.x} b"
}
output "r45" {
  value = "a ${lazy.x} b"
}
output "r46" {
  value = "a ${arg.x} b"
}
output "r47" {
  value = "a ${tofu.workspace} b"
}
output "r48" {
  value = "a ${null_resource.a.id} b"
}
output "r49" {
  value = "a ${provider::a::b(1)} b"
}
output "r50" {
  value = "a ${nofunc(1)} b"
}
output "r51" {
  value = "a ${upper()} b"
}
output "r52" {
  value = "a ${var.o.x.y} b"
}
output "r53" {
  value = "a ${missing} b"
}
output "r54" {
  value = "a ${each.key.x} b"
}
output "r55" {
  value = "a ${terraform_data.x["id"]} b"
}
output "r56" {
  value = "a ${terraform_data["x"]} b"
}
output "r57" {
  value = "a ${data.terraform_remote_state["d"]} b"
}
output "r58" {
  value = "a ${module["m"]} b"
}
output "r59" {
  value = "a ${check.x} b"
}
output "r60" {
  value = "a ${run.x} b"
}
output "r61" {
  value = "a ${string} b"
}
output "r62" {
  value = "a ${number} b"
}
output "r63" {
  value = "a ${null} b"
}
output "r64" {
  value = "a ${true.x} b"
}
output "r65" {
  value = "a ${path.root.x} b"
}
output "r66" {
  value = "a ${terraform.workspace.x} b"
}
output "r67" {
  value = "a ${count.index[0]} b"
}
output "r68" {
  value = "a ${module.mc.o} b"
}
output "r69" {
  value = "a ${module.mc[0].o} b"
}
output "r70" {
  value = "a ${module.mc[0].nope} b"
}
output "r71" {
  value = "a ${module.mc[*].o} b"
}
output "r72" {
  value = "a ${module.mf.o} b"
}
output "r73" {
  value = "a ${module.mf["a"]} b"
}
output "r74" {
  value = "a ${data.terraform_remote_state.d.nope} b"
}
output "r75" {
  value = "a ${data.terraform_remote_state.d[0]} b"
}
