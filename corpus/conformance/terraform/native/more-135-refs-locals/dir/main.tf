variable "l" {
  type = list(string)
}
variable "o" {
  type = object({x = string})
}
locals {
  k = 1
  r0 = var.nope
  r1 = local.nope
  r2 = terraform_data.nope.id
  r3 = data.terraform_remote_state.nope.outputs
  r4 = module.nope.x
  r5 = each.key
  r6 = each.value
  r7 = each.x
  r8 = each
  r9 = count.index
  r10 = count.x
  r11 = count
  r12 = self.id
  r13 = self
  r14 = path.module
  r15 = path.nope
  r16 = path
  r17 = terraform.workspace
  r18 = terraform.nope
  r19 = var
  r20 = local
  r21 = data
  r22 = data.x
  r23 = module
  r24 = module.m
  r25 = module.m.o
  r26 = module.m.nope
  r27 = terraform_data
  r28 = terraform_data.x
  r29 = terraform_data.x.nope
  r30 = terraform_data.x[0].id
  r31 = terraform_data.c.id
  r32 = terraform_data.c[0].id
  r33 = terraform_data.f.id
  r34 = terraform_data.f["a"].id
  r35 = terraform_data.c[*].id
  r36 = resource.terraform_data.nope
  r37 = resource.x
  r38 = ephemeral.a.b
  r39 = action.a.b
  r40 = output.x
  r41 = var.l[0]
  r42 = var["l"]
  r43 = local[0]
  r44 = template.x
  r45 = lazy.x
  r46 = arg.x
  r47 = tofu.workspace
  r48 = null_resource.a.id
  r49 = provider::a::b(1)
  r50 = nofunc(1)
  r51 = upper()
  r52 = var.o.x.y
  r53 = missing
  r54 = each.key.x
  r55 = terraform_data.x["id"]
  r56 = terraform_data["x"]
  r57 = data.terraform_remote_state["d"]
  r58 = module["m"]
  r59 = check.x
  r60 = run.x
  r61 = string
  r62 = number
  r63 = null
  r64 = true.x
  r65 = path.root.x
  r66 = terraform.workspace.x
  r67 = count.index[0]
  r68 = module.mc.o
  r69 = module.mc[0].o
  r70 = module.mc[0].nope
  r71 = module.mc[*].o
  r72 = module.mf.o
  r73 = module.mf["a"]
  r74 = data.terraform_remote_state.d.nope
  r75 = data.terraform_remote_state.d[0]
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
