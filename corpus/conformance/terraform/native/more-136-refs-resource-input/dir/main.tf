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
  input = var.nope
}
resource "terraform_data" "r1" {
  input = local.nope
}
resource "terraform_data" "r2" {
  input = terraform_data.nope.id
}
resource "terraform_data" "r3" {
  input = data.terraform_remote_state.nope.outputs
}
resource "terraform_data" "r4" {
  input = module.nope.x
}
resource "terraform_data" "r5" {
  input = each.key
}
resource "terraform_data" "r6" {
  input = each.value
}
resource "terraform_data" "r7" {
  input = each.x
}
resource "terraform_data" "r8" {
  input = each
}
resource "terraform_data" "r9" {
  input = count.index
}
resource "terraform_data" "r10" {
  input = count.x
}
resource "terraform_data" "r11" {
  input = count
}
resource "terraform_data" "r12" {
  input = self.id
}
resource "terraform_data" "r13" {
  input = self
}
resource "terraform_data" "r14" {
  input = path.module
}
resource "terraform_data" "r15" {
  input = path.nope
}
resource "terraform_data" "r16" {
  input = path
}
resource "terraform_data" "r17" {
  input = terraform.workspace
}
resource "terraform_data" "r18" {
  input = terraform.nope
}
resource "terraform_data" "r19" {
  input = var
}
resource "terraform_data" "r20" {
  input = local
}
resource "terraform_data" "r21" {
  input = data
}
resource "terraform_data" "r22" {
  input = data.x
}
resource "terraform_data" "r23" {
  input = module
}
resource "terraform_data" "r24" {
  input = module.m
}
resource "terraform_data" "r25" {
  input = module.m.o
}
resource "terraform_data" "r26" {
  input = module.m.nope
}
resource "terraform_data" "r27" {
  input = terraform_data
}
resource "terraform_data" "r28" {
  input = terraform_data.x
}
resource "terraform_data" "r29" {
  input = terraform_data.x.nope
}
resource "terraform_data" "r30" {
  input = terraform_data.x[0].id
}
resource "terraform_data" "r31" {
  input = terraform_data.c.id
}
resource "terraform_data" "r32" {
  input = terraform_data.c[0].id
}
resource "terraform_data" "r33" {
  input = terraform_data.f.id
}
resource "terraform_data" "r34" {
  input = terraform_data.f["a"].id
}
resource "terraform_data" "r35" {
  input = terraform_data.c[*].id
}
resource "terraform_data" "r36" {
  input = resource.terraform_data.nope
}
resource "terraform_data" "r37" {
  input = resource.x
}
resource "terraform_data" "r38" {
  input = ephemeral.a.b
}
resource "terraform_data" "r39" {
  input = action.a.b
}
resource "terraform_data" "r40" {
  input = output.x
}
resource "terraform_data" "r41" {
  input = var.l[0]
}
resource "terraform_data" "r42" {
  input = var["l"]
}
resource "terraform_data" "r43" {
  input = local[0]
}
resource "terraform_data" "r44" {
  input = template.x
}
resource "terraform_data" "r45" {
  input = lazy.x
}
resource "terraform_data" "r46" {
  input = arg.x
}
resource "terraform_data" "r47" {
  input = tofu.workspace
}
resource "terraform_data" "r48" {
  input = null_resource.a.id
}
resource "terraform_data" "r49" {
  input = provider::a::b(1)
}
resource "terraform_data" "r50" {
  input = nofunc(1)
}
resource "terraform_data" "r51" {
  input = upper()
}
resource "terraform_data" "r52" {
  input = var.o.x.y
}
resource "terraform_data" "r53" {
  input = missing
}
resource "terraform_data" "r54" {
  input = each.key.x
}
resource "terraform_data" "r55" {
  input = terraform_data.x["id"]
}
resource "terraform_data" "r56" {
  input = terraform_data["x"]
}
resource "terraform_data" "r57" {
  input = data.terraform_remote_state["d"]
}
resource "terraform_data" "r58" {
  input = module["m"]
}
resource "terraform_data" "r59" {
  input = check.x
}
resource "terraform_data" "r60" {
  input = run.x
}
resource "terraform_data" "r61" {
  input = string
}
resource "terraform_data" "r62" {
  input = number
}
resource "terraform_data" "r63" {
  input = null
}
resource "terraform_data" "r64" {
  input = true.x
}
resource "terraform_data" "r65" {
  input = path.root.x
}
resource "terraform_data" "r66" {
  input = terraform.workspace.x
}
resource "terraform_data" "r67" {
  input = count.index[0]
}
resource "terraform_data" "r68" {
  input = module.mc.o
}
resource "terraform_data" "r69" {
  input = module.mc[0].o
}
resource "terraform_data" "r70" {
  input = module.mc[0].nope
}
resource "terraform_data" "r71" {
  input = module.mc[*].o
}
resource "terraform_data" "r72" {
  input = module.mf.o
}
resource "terraform_data" "r73" {
  input = module.mf["a"]
}
resource "terraform_data" "r74" {
  input = data.terraform_remote_state.d.nope
}
resource "terraform_data" "r75" {
  input = data.terraform_remote_state.d[0]
}
