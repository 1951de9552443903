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
  count = var.nope
}
resource "terraform_data" "r1" {
  count = local.nope
}
resource "terraform_data" "r2" {
  count = terraform_data.nope.id
}
resource "terraform_data" "r3" {
  count = data.terraform_remote_state.nope.outputs
}
resource "terraform_data" "r4" {
  count = module.nope.x
}
resource "terraform_data" "r5" {
  count = each.key
}
resource "terraform_data" "r6" {
  count = each.value
}
resource "terraform_data" "r7" {
  count = each.x
}
resource "terraform_data" "r8" {
  count = each
}
resource "terraform_data" "r9" {
  count = count.index
}
resource "terraform_data" "r10" {
  count = count.x
}
resource "terraform_data" "r11" {
  count = count
}
resource "terraform_data" "r12" {
  count = self.id
}
resource "terraform_data" "r13" {
  count = self
}
resource "terraform_data" "r14" {
  count = path.module
}
resource "terraform_data" "r15" {
  count = path.nope
}
resource "terraform_data" "r16" {
  count = path
}
resource "terraform_data" "r17" {
  count = terraform.workspace
}
resource "terraform_data" "r18" {
  count = terraform.nope
}
resource "terraform_data" "r19" {
  count = var
}
resource "terraform_data" "r20" {
  count = local
}
resource "terraform_data" "r21" {
  count = data
}
resource "terraform_data" "r22" {
  count = data.x
}
resource "terraform_data" "r23" {
  count = module
}
resource "terraform_data" "r24" {
  count = module.m
}
resource "terraform_data" "r25" {
  count = module.m.o
}
resource "terraform_data" "r26" {
  count = module.m.nope
}
resource "terraform_data" "r27" {
  count = terraform_data
}
resource "terraform_data" "r28" {
  count = terraform_data.x
}
resource "terraform_data" "r29" {
  count = terraform_data.x.nope
}
resource "terraform_data" "r30" {
  count = terraform_data.x[0].id
}
resource "terraform_data" "r31" {
  count = terraform_data.c.id
}
resource "terraform_data" "r32" {
  count = terraform_data.c[0].id
}
resource "terraform_data" "r33" {
  count = terraform_data.f.id
}
resource "terraform_data" "r34" {
  count = terraform_data.f["a"].id
}
resource "terraform_data" "r35" {
  count = terraform_data.c[*].id
}
resource "terraform_data" "r36" {
  count = resource.terraform_data.nope
}
resource "terraform_data" "r37" {
  count = resource.x
}
resource "terraform_data" "r38" {
  count = ephemeral.a.b
}
resource "terraform_data" "r39" {
  count = action.a.b
}
resource "terraform_data" "r40" {
  count = output.x
}
resource "terraform_data" "r41" {
  count = var.l[0]
}
resource "terraform_data" "r42" {
  count = var["l"]
}
resource "terraform_data" "r43" {
  count = local[0]
}
resource "terraform_data" "r44" {
  count = template.x
}
resource "terraform_data" "r45" {
  count = lazy.x
}
resource "terraform_data" "r46" {
  count = arg.x
}
resource "terraform_data" "r47" {
  count = tofu.workspace
}
resource "terraform_data" "r48" {
  count = null_resource.a.id
}
resource "terraform_data" "r49" {
  count = provider::a::b(1)
}
resource "terraform_data" "r50" {
  count = nofunc(1)
}
resource "terraform_data" "r51" {
  count = upper()
}
resource "terraform_data" "r52" {
  count = var.o.x.y
}
resource "terraform_data" "r53" {
  count = missing
}
resource "terraform_data" "r54" {
  count = each.key.x
}
resource "terraform_data" "r55" {
  count = terraform_data.x["id"]
}
resource "terraform_data" "r56" {
  count = terraform_data["x"]
}
resource "terraform_data" "r57" {
  count = data.terraform_remote_state["d"]
}
resource "terraform_data" "r58" {
  count = module["m"]
}
resource "terraform_data" "r59" {
  count = check.x
}
resource "terraform_data" "r60" {
  count = run.x
}
resource "terraform_data" "r61" {
  count = string
}
resource "terraform_data" "r62" {
  count = number
}
resource "terraform_data" "r63" {
  count = null
}
resource "terraform_data" "r64" {
  count = true.x
}
resource "terraform_data" "r65" {
  count = path.root.x
}
resource "terraform_data" "r66" {
  count = terraform.workspace.x
}
resource "terraform_data" "r67" {
  count = count.index[0]
}
resource "terraform_data" "r68" {
  count = module.mc.o
}
resource "terraform_data" "r69" {
  count = module.mc[0].o
}
resource "terraform_data" "r70" {
  count = module.mc[0].nope
}
resource "terraform_data" "r71" {
  count = module.mc[*].o
}
resource "terraform_data" "r72" {
  count = module.mf.o
}
resource "terraform_data" "r73" {
  count = module.mf["a"]
}
resource "terraform_data" "r74" {
  count = data.terraform_remote_state.d.nope
}
resource "terraform_data" "r75" {
  count = data.terraform_remote_state.d[0]
}
