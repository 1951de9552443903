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
  value = "%{ if true }${var.nope}%{ endif }"
}
output "r1" {
  value = "%{ if true }${local.nope}%{ endif }"
}
output "r2" {
  value = "%{ if true }${terraform_data.nope.id}%{ endif }"
}
output "r3" {
  value = "%{ if true }${data.terraform_remote_state.nope.outputs}%{ endif }"
}
output "r4" {
  value = "%{ if true }${module.nope.x}%{ endif }"
}
output "r5" {
  value = "%{ if true }${each.key}%{ endif }"
}
output "r6" {
  value = "%{ if true }${each.value}%{ endif }"
}
output "r7" {
  value = "%{ if true }${each.x}%{ endif }"
}
output "r8" {
  value = "%{ if true }${each}%{ endif }"
}
output "r9" {
  value = "%{ if true }${count.index}%{ endif }"
}
output "r10" {
  value = "%{ if true }${count.x}%{ endif }"
}
output "r11" {
  value = "%{ if true }${count}%{ endif }"
}
output "r12" {
  value = "%{ if true }${self.id}%{ endif }"
}
output "r13" {
  value = "%{ if true }${self}%{ endif }"
}
output "r14" {
  value = "%{ if true }${path.module}%{ endif }"
}
output "r15" {
  value = "%{ if true }${path.nope}%{ endif }"
}
output "r16" {
  value = "%{ if true }${path}%{ endif }"
}
output "r17" {
  value = "%{ if true }${terraform.workspace}%{ endif }"
}
output "r18" {
  value = "%{ if true }${terraform.nope}%{ endif }"
}
output "r19" {
  value = "%{ if true }${var}%{ endif }"
}
output "r20" {
  value = "%{ if true }${local}%{ endif }"
}
output "r21" {
  value = "%{ if true }${data}%{ endif }"
}
output "r22" {
  value = "%{ if true }${data.x}%{ endif }"
}
output "r23" {
  value = "%{ if true }${module}%{ endif }"
}
output "r24" {
  value = "%{ if true }${module.m}%{ endif }"
}
output "r25" {
  value = "%{ if true }${module.m.o}%{ endif }"
}
output "r26" {
  value = "%{ if true }${module.m.nope}%{ endif }"
}
output "r27" {
  value = "%{ if true }${terraform_data}%{ endif }"
}
output "r28" {
  value = "%{ if true }${terraform_data.x}%{ endif }"
}
output "r29" {
  value = "%{ if true }${terraform_data.x.nope}%{ endif }"
}
output "r30" {
  value = "%{ if true }${terraform_data.x[0].id}%{ endif }"
}
output "r31" {
  value = "%{ if true }${terraform_data.c.id}%{ endif }"
}
output "r32" {
  value = "%{ if true }${terraform_data.c[0].id}%{ endif }"
}
output "r33" {
  value = "%{ if true }${terraform_data.f.id}%{ endif }"
}
output "r34" {
  value = "%{ if true }${terraform_data.f["a"].id}%{ endif }"
}
output "r35" {
  value = "%{ if true }${terraform_data.c[*].id}%{ endif }"
}
output "r36" {
  value = "%{ if true }${resource.terraform_data.nope}%{ endif }"
}
output "r37" {
  value = "%{ if true }${resource.x}%{ endif }"
}
output "r38" {
  value = "%{ if true }${ephemeral.a.b}%{ endif }"
}
output "r39" {
  value = "%{ if true }${action.a.b}%{ endif }"
}
output "r40" {
  value = "%{ if true }${output.x}%{ endif }"
}
output "r41" {
  value = "%{ if true }${var.l[0]}%{ endif }"
}
output "r42" {
  value = "%{ if true }${var["l"]}%{ endif }"
}
output "r43" {
  value = "%{ if true }${local[0]}%{ endif }"
}
output "r44" {
  value = "%{ if true }${template.x}%{ endif }"
}
output "r45" {
  value = "%{ if true }${lazy.x}%{ endif }"
}
output "r46" {
  value = "%{ if true }${arg.x}%{ endif }"
}
output "r47" {
  value = "%{ if true }${tofu.workspace}%{ endif }"
}
output "r48" {
  value = "%{ if true }${null_resource.a.id}%{ endif }"
}
output "r49" {
  value = "%{ if true }${provider::a::b(1)}%{ endif }"
}
output "r50" {
  value = "%{ if true }${nofunc(1)}%{ endif }"
}
output "r51" {
  value = "%{ if true }${upper()}%{ endif }"
}
output "r52" {
  value = "%{ if true }${var.o.x.y}%{ endif }"
}
output "r53" {
  value = "%{ if true }${missing}%{ endif }"
}
output "r54" {
  value = "%{ if true }${each.key.x}%{ endif }"
}
output "r55" {
  value = "%{ if true }${terraform_data.x["id"]}%{ endif }"
}
output "r56" {
  value = "%{ if true }${terraform_data["x"]}%{ endif }"
}
output "r57" {
  value = "%{ if true }${data.terraform_remote_state["d"]}%{ endif }"
}
output "r58" {
  value = "%{ if true }${module["m"]}%{ endif }"
}
output "r59" {
  value = "%{ if true }${check.x}%{ endif }"
}
output "r60" {
  value = "%{ if true }${run.x}%{ endif }"
}
output "r61" {
  value = "%{ if true }${string}%{ endif }"
}
output "r62" {
  value = "%{ if true }${number}%{ endif }"
}
output "r63" {
  value = "%{ if true }${null}%{ endif }"
}
output "r64" {
  value = "%{ if true }${true.x}%{ endif }"
}
output "r65" {
  value = "%{ if true }${path.root.x}%{ endif }"
}
output "r66" {
  value = "%{ if true }${terraform.workspace.x}%{ endif }"
}
output "r67" {
  value = "%{ if true }${count.index[0]}%{ endif }"
}
output "r68" {
  value = "%{ if true }${module.mc.o}%{ endif }"
}
output "r69" {
  value = "%{ if true }${module.mc[0].o}%{ endif }"
}
output "r70" {
  value = "%{ if true }${module.mc[0].nope}%{ endif }"
}
output "r71" {
  value = "%{ if true }${module.mc[*].o}%{ endif }"
}
output "r72" {
  value = "%{ if true }${module.mf.o}%{ endif }"
}
output "r73" {
  value = "%{ if true }${module.mf["a"]}%{ endif }"
}
output "r74" {
  value = "%{ if true }${data.terraform_remote_state.d.nope}%{ endif }"
}
output "r75" {
  value = "%{ if true }${data.terraform_remote_state.d[0]}%{ endif }"
}
