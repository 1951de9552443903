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
  value = jsonencode([var.nope, {a = var.nope}])
}
output "r1" {
  value = jsonencode([local.nope, {a = local.nope}])
}
output "r2" {
  value = jsonencode([terraform_data.nope.id, {a = terraform_data.nope.id}])
}
output "r3" {
  value = jsonencode([data.terraform_remote_state.nope.outputs, {a = data.terraform_remote_state.nope.outputs}])
}
output "r4" {
  value = jsonencode([module.nope.x, {a = module.nope.x}])
}
output "r5" {
  value = jsonencode([each.key, {a = each.key}])
}
output "r6" {
  value = jsonencode([each.value, {a = each.value}])
}
output "r7" {
  value = jsonencode([each.x, {a = each.x}])
}
output "r8" {
  value = jsonencode([each, {a = each}])
}
output "r9" {
  value = jsonencode([count.index, {a = count.index}])
}
output "r10" {
  value = jsonencode([count.x, {a = count.x}])
}
output "r11" {
  value = jsonencode([count, {a = count}])
}
output "r12" {
  value = jsonencode([self.id, {a = self.id}])
}
output "r13" {
  value = jsonencode([self, {a = self}])
}
output "r14" {
  value = jsonencode([path.module, {a = path.module}])
}
output "r15" {
  value = jsonencode([path.nope, {a = path.nope}])
}
output "r16" {
  value = jsonencode([path, {a = path}])
}
output "r17" {
  value = jsonencode([terraform.workspace, {a = terraform.workspace}])
}
output "r18" {
  value = jsonencode([terraform.nope, {a = terraform.nope}])
}
output "r19" {
  value = jsonencode([var, {a = var}])
}
output "r20" {
  value = jsonencode([local, {a = local}])
}
output "r21" {
  value = jsonencode([data, {a = data}])
}
output "r22" {
  value = jsonencode([data.x, {a = data.x}])
}
output "r23" {
  value = jsonencode([module, {a = module}])
}
output "r24" {
  value = jsonencode([module.m, {a = module.m}])
}
output "r25" {
  value = jsonencode([module.m.o, {a = module.m.o}])
}
output "r26" {
  value = jsonencode([module.m.nope, {a = module.m.nope}])
}
output "r27" {
  value = jsonencode([terraform_data, {a = terraform_data}])
}
output "r28" {
  value = jsonencode([terraform_data.x, {a = terraform_data.x}])
}
output "r29" {
  value = jsonencode([terraform_data.x.nope, {a = terraform_data.x.nope}])
}
output "r30" {
  value = jsonencode([terraform_data.x[0].id, {a = terraform_data.x[0].id}])
}
output "r31" {
  value = jsonencode([terraform_data.c.id, {a = terraform_data.c.id}])
}
output "r32" {
  value = jsonencode([terraform_data.c[0].id, {a = terraform_data.c[0].id}])
}
output "r33" {
  value = jsonencode([terraform_data.f.id, {a = terraform_data.f.id}])
}
output "r34" {
  value = jsonencode([terraform_data.f["a"].id, {a = terraform_data.f["a"].id}])
}
output "r35" {
  value = jsonencode([terraform_data.c[*].id, {a = terraform_data.c[*].id}])
}
output "r36" {
  value = jsonencode([resource.terraform_data.nope, {a = resource.terraform_data.nope}])
}
output "r37" {
  value = jsonencode([resource.x, {a = resource.x}])
}
output "r38" {
  value = jsonencode([ephemeral.a.b, {a = ephemeral.a.b}])
}
output "r39" {
  value = jsonencode([action.a.b, {a = action.a.b}])
}
output "r40" {
  value = jsonencode([output.x, {a = output.x}])
}
output "r41" {
  value = jsonencode([var.l[0], {a = var.l[0]}])
}
output "r42" {
  value = jsonencode([var["l"], {a = var["l"]}])
}
output "r43" {
  value = jsonencode([local[0], {a = local[0]}])
}
output "r44" {
  value = jsonencode([template.x, {a = template.x}])
}
output "r45" {
  value = jsonencode([lazy.x, {a = lazy.x}])
}
output "r46" {
  value = jsonencode([arg.x, {a = arg.x}])
}
output "r47" {
  value = jsonencode([tofu.workspace, {a = tofu.workspace}])
}
output "r48" {
  value = jsonencode([null_resource.a.id, {a = null_resource.a.id}])
}
output "r49" {
  value = jsonencode([provider::a::b(1), {a = provider::a::b(1)}])
}
output "r50" {
  value = jsonencode([nofunc(1), {a = nofunc(1)}])
}
output "r51" {
  value = jsonencode([upper(), {a = upper()}])
}
output "r52" {
  value = jsonencode([var.o.x.y, {a = var.o.x.y}])
}
output "r53" {
  value = jsonencode([missing, {a = missing}])
}
output "r54" {
  value = jsonencode([each.key.x, {a = each.key.x}])
}
output "r55" {
  value = jsonencode([terraform_data.x["id"], {a = terraform_data.x["id"]}])
}
output "r56" {
  value = jsonencode([terraform_data["x"], {a = terraform_data["x"]}])
}
output "r57" {
  value = jsonencode([data.terraform_remote_state["d"], {a = data.terraform_remote_state["d"]}])
}
output "r58" {
  value = jsonencode([module["m"], {a = module["m"]}])
}
output "r59" {
  value = jsonencode([check.x, {a = check.x}])
}
output "r60" {
  value = jsonencode([run.x, {a = run.x}])
}
output "r61" {
  value = jsonencode([string, {a = string}])
}
output "r62" {
  value = jsonencode([number, {a = number}])
}
output "r63" {
  value = jsonencode([null, {a = null}])
}
output "r64" {
  value = jsonencode([true.x, {a = true.x}])
}
output "r65" {
  value = jsonencode([path.root.x, {a = path.root.x}])
}
output "r66" {
  value = jsonencode([terraform.workspace.x, {a = terraform.workspace.x}])
}
output "r67" {
  value = jsonencode([count.index[0], {a = count.index[0]}])
}
output "r68" {
  value = jsonencode([module.mc.o, {a = module.mc.o}])
}
output "r69" {
  value = jsonencode([module.mc[0].o, {a = module.mc[0].o}])
}
output "r70" {
  value = jsonencode([module.mc[0].nope, {a = module.mc[0].nope}])
}
output "r71" {
  value = jsonencode([module.mc[*].o, {a = module.mc[*].o}])
}
output "r72" {
  value = jsonencode([module.mf.o, {a = module.mf.o}])
}
output "r73" {
  value = jsonencode([module.mf["a"], {a = module.mf["a"]}])
}
output "r74" {
  value = jsonencode([data.terraform_remote_state.d.nope, {a = data.terraform_remote_state.d.nope}])
}
output "r75" {
  value = jsonencode([data.terraform_remote_state.d[0], {a = data.terraform_remote_state.d[0]}])
}
