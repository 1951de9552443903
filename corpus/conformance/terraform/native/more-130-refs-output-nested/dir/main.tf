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
  value = [{"k" = ["xA ${var.nope}"]}]
}
output "r1" {
  value = [{"k" = ["xA ${local.nope}"]}]
}
output "r2" {
  value = [{"k" = ["xA ${terraform_data.nope.id}"]}]
}
output "r3" {
  value = [{"k" = ["xA ${data.terraform_remote_state.nope.outputs}"]}]
}
output "r4" {
  value = [{"k" = ["xA ${module.nope.x}"]}]
}
output "r5" {
  value = [{"k" = ["xA ${each.key}"]}]
}
output "r6" {
  value = [{"k" = ["xA ${each.value}"]}]
}
output "r7" {
  value = [{"k" = ["xA ${each.x}"]}]
}
output "r8" {
  value = [{"k" = ["xA ${each}"]}]
}
output "r9" {
  value = [{"k" = ["xA ${count.index}"]}]
}
output "r10" {
  value = [{"k" = ["xA ${count.x}"]}]
}
output "r11" {
  value = [{"k" = ["xA ${count}"]}]
}
output "r12" {
  value = [{"k" = ["xA ${self.id}"]}]
}
output "r13" {
  value = [{"k" = ["xA ${self}"]}]
}
output "r14" {
  value = [{"k" = ["xA ${path.module}"]}]
}
output "r15" {
  value = [{"k" = ["xA ${path.nope}"]}]
}
output "r16" {
  value = [{"k" = ["xA ${path}"]}]
}
output "r17" {
  value = [{"k" = ["xA ${terraform.workspace}"]}]
}
output "r18" {
  value = [{"k" = ["xA ${terraform.nope}"]}]
}
output "r19" {
  value = [{"k" = ["xA ${var}"]}]
}
output "r20" {
  value = [{"k" = ["xA ${local}"]}]
}
output "r21" {
  value = [{"k" = ["xA ${data}"]}]
}
output "r22" {
  value = [{"k" = ["xA ${data.x}"]}]
}
output "r23" {
  value = [{"k" = ["xA ${module}"]}]
}
output "r24" {
  value = [{"k" = ["xA ${module.m}"]}]
}
output "r25" {
  value = [{"k" = ["xA ${module.m.o}"]}]
}
output "r26" {
  value = [{"k" = ["xA ${module.m.nope}"]}]
}
output "r27" {
  value = [{"k" = ["xA ${terraform_data}"]}]
}
output "r28" {
  value = [{"k" = ["xA ${terraform_data.x}"]}]
}
output "r29" {
  value = [{"k" = ["xA ${terraform_data.x.nope}"]}]
}
output "r30" {
  value = [{"k" = ["xA ${terraform_data.x[0].id}"]}]
}
output "r31" {
  value = [{"k" = ["xA ${terraform_data.c.id}"]}]
}
output "r32" {
  value = [{"k" = ["xA ${terraform_data.c[0].id}"]}]
}
output "r33" {
  value = [{"k" = ["xA ${terraform_data.f.id}"]}]
}
output "r34" {
  value = [{"k" = ["xA ${terraform_data.f["a"].id}"]}]
}
output "r35" {
  value = [{"k" = ["xA ${terraform_data.c[*].id}"]}]
}
output "r36" {
  value = [{"k" = ["xA ${resource.terraform_data.nope}"]}]
}
output "r37" {
  value = [{"k" = ["xA ${resource.x}"]}]
}
output "r38" {
  value = [{"k" = ["xA ${ephemeral.a.b}"]}]
}
output "r39" {
  value = [{"k" = ["xA ${action.a.b}"]}]
}
output "r40" {
  value = [{"k" = ["xA ${output.x}"]}]
}
output "r41" {
  value = [{"k" = ["xA ${var.l[0]}"]}]
}
output "r42" {
  value = [{"k" = ["xA ${var["l"]}"]}]
}
output "r43" {
  value = [{"k" = ["xA ${local[0]}"]}]
}
output "r44" {
  value = [{"k" = ["xA ${template.x}"]}]
}
output "r45" {
  value = [{"k" = ["xA ${lazy.x}"]}]
}
output "r46" {
  value = [{"k" = ["xA ${arg.x}"]}]
}
output "r47" {
  value = [{"k" = ["xA ${tofu.workspace}"]}]
}
output "r48" {
  value = [{"k" = ["xA ${null_resource.a.id}"]}]
}
output "r49" {
  value = [{"k" = ["xA ${provider::a::b(1)}"]}]
}
output "r50" {
  value = [{"k" = ["xA ${nofunc(1)}"]}]
}
output "r51" {
  value = [{"k" = ["xA ${upper()}"]}]
}
output "r52" {
  value = [{"k" = ["xA ${var.o.x.y}"]}]
}
output "r53" {
  value = [{"k" = ["xA ${missing}"]}]
}
output "r54" {
  value = [{"k" = ["xA ${each.key.x}"]}]
}
output "r55" {
  value = [{"k" = ["xA ${terraform_data.x["id"]}"]}]
}
output "r56" {
  value = [{"k" = ["xA ${terraform_data["x"]}"]}]
}
output "r57" {
  value = [{"k" = ["xA ${data.terraform_remote_state["d"]}"]}]
}
output "r58" {
  value = [{"k" = ["xA ${module["m"]}"]}]
}
output "r59" {
  value = [{"k" = ["xA ${check.x}"]}]
}
output "r60" {
  value = [{"k" = ["xA ${run.x}"]}]
}
output "r61" {
  value = [{"k" = ["xA ${string}"]}]
}
output "r62" {
  value = [{"k" = ["xA ${number}"]}]
}
output "r63" {
  value = [{"k" = ["xA ${null}"]}]
}
output "r64" {
  value = [{"k" = ["xA ${true.x}"]}]
}
output "r65" {
  value = [{"k" = ["xA ${path.root.x}"]}]
}
output "r66" {
  value = [{"k" = ["xA ${terraform.workspace.x}"]}]
}
output "r67" {
  value = [{"k" = ["xA ${count.index[0]}"]}]
}
output "r68" {
  value = [{"k" = ["xA ${module.mc.o}"]}]
}
output "r69" {
  value = [{"k" = ["xA ${module.mc[0].o}"]}]
}
output "r70" {
  value = [{"k" = ["xA ${module.mc[0].nope}"]}]
}
output "r71" {
  value = [{"k" = ["xA ${module.mc[*].o}"]}]
}
output "r72" {
  value = [{"k" = ["xA ${module.mf.o}"]}]
}
output "r73" {
  value = [{"k" = ["xA ${module.mf["a"]}"]}]
}
output "r74" {
  value = [{"k" = ["xA ${data.terraform_remote_state.d.nope}"]}]
}
output "r75" {
  value = [{"k" = ["xA ${data.terraform_remote_state.d[0]}"]}]
}
