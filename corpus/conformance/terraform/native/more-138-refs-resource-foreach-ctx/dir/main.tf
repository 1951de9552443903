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
resource "terraform_data" "r0" {
  for_each = {"a" = 1}
  input = var.nope
}
resource "terraform_data" "r1" {
  for_each = {"a" = 1}
  input = local.nope
}
resource "terraform_data" "r2" {
  for_each = {"a" = 1}
  input = terraform_data.nope.id
}
resource "terraform_data" "r3" {
  for_each = {"a" = 1}
  input = data.terraform_remote_state.nope.outputs
}
resource "terraform_data" "r4" {
  for_each = {"a" = 1}
  input = module.nope.x
}
resource "terraform_data" "r5" {
  for_each = {"a" = 1}
  input = each.key
}
resource "terraform_data" "r6" {
  for_each = {"a" = 1}
  input = each.value
}
resource "terraform_data" "r7" {
  for_each = {"a" = 1}
  input = each.x
}
resource "terraform_data" "r8" {
  for_each = {"a" = 1}
  input = each
}
resource "terraform_data" "r9" {
  for_each = {"a" = 1}
  input = count.index
}
resource "terraform_data" "r10" {
  for_each = {"a" = 1}
  input = count.x
}
resource "terraform_data" "r11" {
  for_each = {"a" = 1}
  input = count
}
resource "terraform_data" "r12" {
  for_each = {"a" = 1}
  input = self.id
}
resource "terraform_data" "r13" {
  for_each = {"a" = 1}
  input = self
}
resource "terraform_data" "r14" {
  for_each = {"a" = 1}
  input = path.module
}
resource "terraform_data" "r15" {
  for_each = {"a" = 1}
  input = path.nope
}
resource "terraform_data" "r16" {
  for_each = {"a" = 1}
  input = path
}
resource "terraform_data" "r17" {
  for_each = {"a" = 1}
  input = terraform.workspace
}
resource "terraform_data" "r18" {
  for_each = {"a" = 1}
  input = terraform.nope
}
resource "terraform_data" "r19" {
  for_each = {"a" = 1}
  input = var
}
resource "terraform_data" "r20" {
  for_each = {"a" = 1}
  input = local
}
resource "terraform_data" "r21" {
  for_each = {"a" = 1}
  input = data
}
resource "terraform_data" "r22" {
  for_each = {"a" = 1}
  input = data.x
}
resource "terraform_data" "r23" {
  for_each = {"a" = 1}
  input = module
}
resource "terraform_data" "r24" {
  for_each = {"a" = 1}
  input = module.m
}
resource "terraform_data" "r25" {
  for_each = {"a" = 1}
  input = module.m.o
}
resource "terraform_data" "r26" {
  for_each = {"a" = 1}
  input = module.m.nope
}
resource "terraform_data" "r27" {
  for_each = {"a" = 1}
  input = terraform_data
}
resource "terraform_data" "r28" {
  for_each = {"a" = 1}
  input = terraform_data.x
}
resource "terraform_data" "r29" {
  for_each = {"a" = 1}
  input = terraform_data.x.nope
}
resource "terraform_data" "r30" {
  for_each = {"a" = 1}
  input = terraform_data.x[0].id
}
resource "terraform_data" "r31" {
  for_each = {"a" = 1}
  input = terraform_data.c.id
}
resource "terraform_data" "r32" {
  for_each = {"a" = 1}
  input = terraform_data.c[0].id
}
resource "terraform_data" "r33" {
  for_each = {"a" = 1}
  input = terraform_data.f.id
}
resource "terraform_data" "r34" {
  for_each = {"a" = 1}
  input = terraform_data.f["a"].id
}
resource "terraform_data" "r35" {
  for_each = {"a" = 1}
  input = terraform_data.c[*].id
}
resource "terraform_data" "r36" {
  for_each = {"a" = 1}
  input = resource.terraform_data.nope
}
resource "terraform_data" "r37" {
  for_each = {"a" = 1}
  input = resource.x
}
resource "terraform_data" "r38" {
  for_each = {"a" = 1}
  input = ephemeral.a.b
}
resource "terraform_data" "r39" {
  for_each = {"a" = 1}
  input = action.a.b
}
resource "terraform_data" "r40" {
  for_each = {"a" = 1}
  input = output.x
}
resource "terraform_data" "r41" {
  for_each = {"a" = 1}
  input = var.l[0]
}
resource "terraform_data" "r42" {
  for_each = {"a" = 1}
  input = var["l"]
}
resource "terraform_data" "r43" {
  for_each = {"a" = 1}
  input = local[0]
}
resource "terraform_data" "r44" {
  for_each = {"a" = 1}
  input = template.x
}
resource "terraform_data" "r45" {
  for_each = {"a" = 1}
  input = lazy.x
}
resource "terraform_data" "r46" {
  for_each = {"a" = 1}
  input = arg.x
}
resource "terraform_data" "r47" {
  for_each = {"a" = 1}
  input = tofu.workspace
}
resource "terraform_data" "r48" {
  for_each = {"a" = 1}
  input = null_resource.a.id
}
resource "terraform_data" "r49" {
  for_each = {"a" = 1}
  input = provider::a::b(1)
}
resource "terraform_data" "r50" {
  for_each = {"a" = 1}
  input = nofunc(1)
}
resource "terraform_data" "r51" {
  for_each = {"a" = 1}
  input = upper()
}
resource "terraform_data" "r52" {
  for_each = {"a" = 1}
  input = var.o.x.y
}
resource "terraform_data" "r53" {
  for_each = {"a" = 1}
  input = missing
}
resource "terraform_data" "r54" {
  for_each = {"a" = 1}
  input = each.key.x
}
resource "terraform_data" "r55" {
  for_each = {"a" = 1}
  input = terraform_data.x["id"]
}
resource "terraform_data" "r56" {
  for_each = {"a" = 1}
  input = terraform_data["x"]
}
resource "terraform_data" "r57" {
  for_each = {"a" = 1}
  input = data.terraform_remote_state["d"]
}
resource "terraform_data" "r58" {
  for_each = {"a" = 1}
  input = module["m"]
}
resource "terraform_data" "r59" {
  for_each = {"a" = 1}
  input = check.x
}
resource "terraform_data" "r60" {
  for_each = {"a" = 1}
  input = run.x
}
resource "terraform_data" "r61" {
  for_each = {"a" = 1}
  input = string
}
resource "terraform_data" "r62" {
  for_each = {"a" = 1}
  input = number
}
resource "terraform_data" "r63" {
  for_each = {"a" = 1}
  input = null
}
resource "terraform_data" "r64" {
  for_each = {"a" = 1}
  input = true.x
}
resource "terraform_data" "r65" {
  for_each = {"a" = 1}
  input = path.root.x
}
resource "terraform_data" "r66" {
  for_each = {"a" = 1}
  input = terraform.workspace.x
}
resource "terraform_data" "r67" {
  for_each = {"a" = 1}
  input = count.index[0]
}
resource "terraform_data" "r68" {
  for_each = {"a" = 1}
  input = module.mc.o
}
resource "terraform_data" "r69" {
  for_each = {"a" = 1}
  input = module.mc[0].o
}
resource "terraform_data" "r70" {
  for_each = {"a" = 1}
  input = module.mc[0].nope
}
resource "terraform_data" "r71" {
  for_each = {"a" = 1}
  input = module.mc[*].o
}
resource "terraform_data" "r72" {
  for_each = {"a" = 1}
  input = module.mf.o
}
resource "terraform_data" "r73" {
  for_each = {"a" = 1}
  input = module.mf["a"]
}
resource "terraform_data" "r74" {
  for_each = {"a" = 1}
  input = data.terraform_remote_state.d.nope
}
resource "terraform_data" "r75" {
  for_each = {"a" = 1}
  input = data.terraform_remote_state.d[0]
}
