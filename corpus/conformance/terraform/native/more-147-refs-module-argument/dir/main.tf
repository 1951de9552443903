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
module "r0" {
  source = "./m"
  v = var.nope
}
module "r1" {
  source = "./m"
  v = local.nope
}
module "r2" {
  source = "./m"
  v = terraform_data.nope.id
}
module "r3" {
  source = "./m"
  v = data.terraform_remote_state.nope.outputs
}
module "r4" {
  source = "./m"
  v = module.nope.x
}
module "r5" {
  source = "./m"
  v = each.key
}
module "r6" {
  source = "./m"
  v = each.value
}
module "r7" {
  source = "./m"
  v = each.x
}
module "r8" {
  source = "./m"
  v = each
}
module "r9" {
  source = "./m"
  v = count.index
}
module "r10" {
  source = "./m"
  v = count.x
}
module "r11" {
  source = "./m"
  v = count
}
module "r12" {
  source = "./m"
  v = self.id
}
module "r13" {
  source = "./m"
  v = self
}
module "r14" {
  source = "./m"
  v = path.module
}
module "r15" {
  source = "./m"
  v = path.nope
}
module "r16" {
  source = "./m"
  v = path
}
module "r17" {
  source = "./m"
  v = terraform.workspace
}
module "r18" {
  source = "./m"
  v = terraform.nope
}
module "r19" {
  source = "./m"
  v = var
}
module "r20" {
  source = "./m"
  v = local
}
module "r21" {
  source = "./m"
  v = data
}
module "r22" {
  source = "./m"
  v = data.x
}
module "r23" {
  source = "./m"
  v = module
}
module "r24" {
  source = "./m"
  v = module.m
}
module "r25" {
  source = "./m"
  v = module.m.o
}
module "r26" {
  source = "./m"
  v = module.m.nope
}
module "r27" {
  source = "./m"
  v = terraform_data
}
module "r28" {
  source = "./m"
  v = terraform_data.x
}
module "r29" {
  source = "./m"
  v = terraform_data.x.nope
}
module "r30" {
  source = "./m"
  v = terraform_data.x[0].id
}
module "r31" {
  source = "./m"
  v = terraform_data.c.id
}
module "r32" {
  source = "./m"
  v = terraform_data.c[0].id
}
module "r33" {
  source = "./m"
  v = terraform_data.f.id
}
module "r34" {
  source = "./m"
  v = terraform_data.f["a"].id
}
module "r35" {
  source = "./m"
  v = terraform_data.c[*].id
}
module "r36" {
  source = "./m"
  v = resource.terraform_data.nope
}
module "r37" {
  source = "./m"
  v = resource.x
}
module "r38" {
  source = "./m"
  v = ephemeral.a.b
}
module "r39" {
  source = "./m"
  v = action.a.b
}
module "r40" {
  source = "./m"
  v = output.x
}
module "r41" {
  source = "./m"
  v = var.l[0]
}
module "r42" {
  source = "./m"
  v = var["l"]
}
module "r43" {
  source = "./m"
  v = local[0]
}
module "r44" {
  source = "./m"
  v = template.x
}
module "r45" {
  source = "./m"
  v = lazy.x
}
module "r46" {
  source = "./m"
  v = arg.x
}
module "r47" {
  source = "./m"
  v = tofu.workspace
}
module "r48" {
  source = "./m"
  v = null_resource.a.id
}
module "r49" {
  source = "./m"
  v = provider::a::b(1)
}
module "r50" {
  source = "./m"
  v = nofunc(1)
}
module "r51" {
  source = "./m"
  v = upper()
}
module "r52" {
  source = "./m"
  v = var.o.x.y
}
module "r53" {
  source = "./m"
  v = missing
}
module "r54" {
  source = "./m"
  v = each.key.x
}
module "r55" {
  source = "./m"
  v = terraform_data.x["id"]
}
module "r56" {
  source = "./m"
  v = terraform_data["x"]
}
module "r57" {
  source = "./m"
  v = data.terraform_remote_state["d"]
}
module "r58" {
  source = "./m"
  v = module["m"]
}
module "r59" {
  source = "./m"
  v = check.x
}
module "r60" {
  source = "./m"
  v = run.x
}
module "r61" {
  source = "./m"
  v = string
}
module "r62" {
  source = "./m"
  v = number
}
module "r63" {
  source = "./m"
  v = null
}
module "r64" {
  source = "./m"
  v = true.x
}
module "r65" {
  source = "./m"
  v = path.root.x
}
module "r66" {
  source = "./m"
  v = terraform.workspace.x
}
module "r67" {
  source = "./m"
  v = count.index[0]
}
module "r68" {
  source = "./m"
  v = module.mc.o
}
module "r69" {
  source = "./m"
  v = module.mc[0].o
}
module "r70" {
  source = "./m"
  v = module.mc[0].nope
}
module "r71" {
  source = "./m"
  v = module.mc[*].o
}
module "r72" {
  source = "./m"
  v = module.mf.o
}
module "r73" {
  source = "./m"
  v = module.mf["a"]
}
module "r74" {
  source = "./m"
  v = data.terraform_remote_state.d.nope
}
module "r75" {
  source = "./m"
  v = data.terraform_remote_state.d[0]
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
