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
  count = 1
  input = var.nope
}
resource "terraform_data" "r1" {
  count = 1
  input = local.nope
}
resource "terraform_data" "r2" {
  count = 1
  input = terraform_data.nope.id
}
resource "terraform_data" "r3" {
  count = 1
  input = data.terraform_remote_state.nope.outputs
}
resource "terraform_data" "r4" {
  count = 1
  input = module.nope.x
}
resource "terraform_data" "r5" {
  count = 1
  input = each.key
}
resource "terraform_data" "r6" {
  count = 1
  input = each.value
}
resource "terraform_data" "r7" {
  count = 1
  input = each.x
}
resource "terraform_data" "r8" {
  count = 1
  input = each
}
resource "terraform_data" "r9" {
  count = 1
  input = count.index
}
resource "terraform_data" "r10" {
  count = 1
  input = count.x
}
resource "terraform_data" "r11" {
  count = 1
  input = count
}
resource "terraform_data" "r12" {
  count = 1
  input = self.id
}
resource "terraform_data" "r13" {
  count = 1
  input = self
}
resource "terraform_data" "r14" {
  count = 1
  input = path.module
}
resource "terraform_data" "r15" {
  count = 1
  input = path.nope
}
resource "terraform_data" "r16" {
  count = 1
  input = path
}
resource "terraform_data" "r17" {
  count = 1
  input = terraform.workspace
}
resource "terraform_data" "r18" {
  count = 1
  input = terraform.nope
}
resource "terraform_data" "r19" {
  count = 1
  input = var
}
resource "terraform_data" "r20" {
  count = 1
  input = local
}
resource "terraform_data" "r21" {
  count = 1
  input = data
}
resource "terraform_data" "r22" {
  count = 1
  input = data.x
}
resource "terraform_data" "r23" {
  count = 1
  input = module
}
resource "terraform_data" "r24" {
  count = 1
  input = module.m
}
resource "terraform_data" "r25" {
  count = 1
  input = module.m.o
}
resource "terraform_data" "r26" {
  count = 1
  input = module.m.nope
}
resource "terraform_data" "r27" {
  count = 1
  input = terraform_data
}
resource "terraform_data" "r28" {
  count = 1
  input = terraform_data.x
}
resource "terraform_data" "r29" {
  count = 1
  input = terraform_data.x.nope
}
resource "terraform_data" "r30" {
  count = 1
  input = terraform_data.x[0].id
}
resource "terraform_data" "r31" {
  count = 1
  input = terraform_data.c.id
}
resource "terraform_data" "r32" {
  count = 1
  input = terraform_data.c[0].id
}
resource "terraform_data" "r33" {
  count = 1
  input = terraform_data.f.id
}
resource "terraform_data" "r34" {
  count = 1
  input = terraform_data.f["a"].id
}
resource "terraform_data" "r35" {
  count = 1
  input = terraform_data.c[*].id
}
resource "terraform_data" "r36" {
  count = 1
  input = resource.terraform_data.nope
}
resource "terraform_data" "r37" {
  count = 1
  input = resource.x
}
resource "terraform_data" "r38" {
  count = 1
  input = ephemeral.a.b
}
resource "terraform_data" "r39" {
  count = 1
  input = action.a.b
}
resource "terraform_data" "r40" {
  count = 1
  input = output.x
}
resource "terraform_data" "r41" {
  count = 1
  input = var.l[0]
}
resource "terraform_data" "r42" {
  count = 1
  input = var["l"]
}
resource "terraform_data" "r43" {
  count = 1
  input = local[0]
}
resource "terraform_data" "r44" {
  count = 1
  input = template.x
}
resource "terraform_data" "r45" {
  count = 1
  input = lazy.x
}
resource "terraform_data" "r46" {
  count = 1
  input = arg.x
}
resource "terraform_data" "r47" {
  count = 1
  input = tofu.workspace
}
resource "terraform_data" "r48" {
  count = 1
  input = null_resource.a.id
}
resource "terraform_data" "r49" {
  count = 1
  input = provider::a::b(1)
}
resource "terraform_data" "r50" {
  count = 1
  input = nofunc(1)
}
resource "terraform_data" "r51" {
  count = 1
  input = upper()
}
resource "terraform_data" "r52" {
  count = 1
  input = var.o.x.y
}
resource "terraform_data" "r53" {
  count = 1
  input = missing
}
resource "terraform_data" "r54" {
  count = 1
  input = each.key.x
}
resource "terraform_data" "r55" {
  count = 1
  input = terraform_data.x["id"]
}
resource "terraform_data" "r56" {
  count = 1
  input = terraform_data["x"]
}
resource "terraform_data" "r57" {
  count = 1
  input = data.terraform_remote_state["d"]
}
resource "terraform_data" "r58" {
  count = 1
  input = module["m"]
}
resource "terraform_data" "r59" {
  count = 1
  input = check.x
}
resource "terraform_data" "r60" {
  count = 1
  input = run.x
}
resource "terraform_data" "r61" {
  count = 1
  input = string
}
resource "terraform_data" "r62" {
  count = 1
  input = number
}
resource "terraform_data" "r63" {
  count = 1
  input = null
}
resource "terraform_data" "r64" {
  count = 1
  input = true.x
}
resource "terraform_data" "r65" {
  count = 1
  input = path.root.x
}
resource "terraform_data" "r66" {
  count = 1
  input = terraform.workspace.x
}
resource "terraform_data" "r67" {
  count = 1
  input = count.index[0]
}
resource "terraform_data" "r68" {
  count = 1
  input = module.mc.o
}
resource "terraform_data" "r69" {
  count = 1
  input = module.mc[0].o
}
resource "terraform_data" "r70" {
  count = 1
  input = module.mc[0].nope
}
resource "terraform_data" "r71" {
  count = 1
  input = module.mc[*].o
}
resource "terraform_data" "r72" {
  count = 1
  input = module.mf.o
}
resource "terraform_data" "r73" {
  count = 1
  input = module.mf["a"]
}
resource "terraform_data" "r74" {
  count = 1
  input = data.terraform_remote_state.d.nope
}
resource "terraform_data" "r75" {
  count = 1
  input = data.terraform_remote_state.d[0]
}
