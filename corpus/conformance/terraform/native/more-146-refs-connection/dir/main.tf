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
  connection {
    host = var.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r1" {
  connection {
    host = local.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r2" {
  connection {
    host = terraform_data.nope.id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r3" {
  connection {
    host = data.terraform_remote_state.nope.outputs
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r4" {
  connection {
    host = module.nope.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r5" {
  connection {
    host = each.key
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r6" {
  connection {
    host = each.value
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r7" {
  connection {
    host = each.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r8" {
  connection {
    host = each
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r9" {
  connection {
    host = count.index
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r10" {
  connection {
    host = count.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r11" {
  connection {
    host = count
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r12" {
  connection {
    host = self.id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r13" {
  connection {
    host = self
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r14" {
  connection {
    host = path.module
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r15" {
  connection {
    host = path.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r16" {
  connection {
    host = path
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r17" {
  connection {
    host = terraform.workspace
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r18" {
  connection {
    host = terraform.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r19" {
  connection {
    host = var
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r20" {
  connection {
    host = local
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r21" {
  connection {
    host = data
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r22" {
  connection {
    host = data.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r23" {
  connection {
    host = module
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r24" {
  connection {
    host = module.m
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r25" {
  connection {
    host = module.m.o
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r26" {
  connection {
    host = module.m.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r27" {
  connection {
    host = terraform_data
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r28" {
  connection {
    host = terraform_data.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r29" {
  connection {
    host = terraform_data.x.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r30" {
  connection {
    host = terraform_data.x[0].id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r31" {
  connection {
    host = terraform_data.c.id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r32" {
  connection {
    host = terraform_data.c[0].id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r33" {
  connection {
    host = terraform_data.f.id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r34" {
  connection {
    host = terraform_data.f["a"].id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r35" {
  connection {
    host = terraform_data.c[*].id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r36" {
  connection {
    host = resource.terraform_data.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r37" {
  connection {
    host = resource.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r38" {
  connection {
    host = ephemeral.a.b
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r39" {
  connection {
    host = action.a.b
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r40" {
  connection {
    host = output.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r41" {
  connection {
    host = var.l[0]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r42" {
  connection {
    host = var["l"]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r43" {
  connection {
    host = local[0]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r44" {
  connection {
    host = template.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r45" {
  connection {
    host = lazy.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r46" {
  connection {
    host = arg.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r47" {
  connection {
    host = tofu.workspace
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r48" {
  connection {
    host = null_resource.a.id
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r49" {
  connection {
    host = provider::a::b(1)
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r50" {
  connection {
    host = nofunc(1)
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r51" {
  connection {
    host = upper()
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r52" {
  connection {
    host = var.o.x.y
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r53" {
  connection {
    host = missing
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r54" {
  connection {
    host = each.key.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r55" {
  connection {
    host = terraform_data.x["id"]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r56" {
  connection {
    host = terraform_data["x"]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r57" {
  connection {
    host = data.terraform_remote_state["d"]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r58" {
  connection {
    host = module["m"]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r59" {
  connection {
    host = check.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r60" {
  connection {
    host = run.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r61" {
  connection {
    host = string
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r62" {
  connection {
    host = number
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r63" {
  connection {
    host = null
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r64" {
  connection {
    host = true.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r65" {
  connection {
    host = path.root.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r66" {
  connection {
    host = terraform.workspace.x
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r67" {
  connection {
    host = count.index[0]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r68" {
  connection {
    host = module.mc.o
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r69" {
  connection {
    host = module.mc[0].o
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r70" {
  connection {
    host = module.mc[0].nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r71" {
  connection {
    host = module.mc[*].o
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r72" {
  connection {
    host = module.mf.o
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r73" {
  connection {
    host = module.mf["a"]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r74" {
  connection {
    host = data.terraform_remote_state.d.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "r75" {
  connection {
    host = data.terraform_remote_state.d[0]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
