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
  provisioner "local-exec" {
    command = var.nope
    when = destroy
  }
}
resource "terraform_data" "r1" {
  provisioner "local-exec" {
    command = local.nope
    when = destroy
  }
}
resource "terraform_data" "r2" {
  provisioner "local-exec" {
    command = terraform_data.nope.id
    when = destroy
  }
}
resource "terraform_data" "r3" {
  provisioner "local-exec" {
    command = data.terraform_remote_state.nope.outputs
    when = destroy
  }
}
resource "terraform_data" "r4" {
  provisioner "local-exec" {
    command = module.nope.x
    when = destroy
  }
}
resource "terraform_data" "r5" {
  provisioner "local-exec" {
    command = each.key
    when = destroy
  }
}
resource "terraform_data" "r6" {
  provisioner "local-exec" {
    command = each.value
    when = destroy
  }
}
resource "terraform_data" "r7" {
  provisioner "local-exec" {
    command = each.x
    when = destroy
  }
}
resource "terraform_data" "r8" {
  provisioner "local-exec" {
    command = each
    when = destroy
  }
}
resource "terraform_data" "r9" {
  provisioner "local-exec" {
    command = count.index
    when = destroy
  }
}
resource "terraform_data" "r10" {
  provisioner "local-exec" {
    command = count.x
    when = destroy
  }
}
resource "terraform_data" "r11" {
  provisioner "local-exec" {
    command = count
    when = destroy
  }
}
resource "terraform_data" "r12" {
  provisioner "local-exec" {
    command = self.id
    when = destroy
  }
}
resource "terraform_data" "r13" {
  provisioner "local-exec" {
    command = self
    when = destroy
  }
}
resource "terraform_data" "r14" {
  provisioner "local-exec" {
    command = path.module
    when = destroy
  }
}
resource "terraform_data" "r15" {
  provisioner "local-exec" {
    command = path.nope
    when = destroy
  }
}
resource "terraform_data" "r16" {
  provisioner "local-exec" {
    command = path
    when = destroy
  }
}
resource "terraform_data" "r17" {
  provisioner "local-exec" {
    command = terraform.workspace
    when = destroy
  }
}
resource "terraform_data" "r18" {
  provisioner "local-exec" {
    command = terraform.nope
    when = destroy
  }
}
resource "terraform_data" "r19" {
  provisioner "local-exec" {
    command = var
    when = destroy
  }
}
resource "terraform_data" "r20" {
  provisioner "local-exec" {
    command = local
    when = destroy
  }
}
resource "terraform_data" "r21" {
  provisioner "local-exec" {
    command = data
    when = destroy
  }
}
resource "terraform_data" "r22" {
  provisioner "local-exec" {
    command = data.x
    when = destroy
  }
}
resource "terraform_data" "r23" {
  provisioner "local-exec" {
    command = module
    when = destroy
  }
}
resource "terraform_data" "r24" {
  provisioner "local-exec" {
    command = module.m
    when = destroy
  }
}
resource "terraform_data" "r25" {
  provisioner "local-exec" {
    command = module.m.o
    when = destroy
  }
}
resource "terraform_data" "r26" {
  provisioner "local-exec" {
    command = module.m.nope
    when = destroy
  }
}
resource "terraform_data" "r27" {
  provisioner "local-exec" {
    command = terraform_data
    when = destroy
  }
}
resource "terraform_data" "r28" {
  provisioner "local-exec" {
    command = terraform_data.x
    when = destroy
  }
}
resource "terraform_data" "r29" {
  provisioner "local-exec" {
    command = terraform_data.x.nope
    when = destroy
  }
}
resource "terraform_data" "r30" {
  provisioner "local-exec" {
    command = terraform_data.x[0].id
    when = destroy
  }
}
resource "terraform_data" "r31" {
  provisioner "local-exec" {
    command = terraform_data.c.id
    when = destroy
  }
}
resource "terraform_data" "r32" {
  provisioner "local-exec" {
    command = terraform_data.c[0].id
    when = destroy
  }
}
resource "terraform_data" "r33" {
  provisioner "local-exec" {
    command = terraform_data.f.id
    when = destroy
  }
}
resource "terraform_data" "r34" {
  provisioner "local-exec" {
    command = terraform_data.f["a"].id
    when = destroy
  }
}
resource "terraform_data" "r35" {
  provisioner "local-exec" {
    command = terraform_data.c[*].id
    when = destroy
  }
}
resource "terraform_data" "r36" {
  provisioner "local-exec" {
    command = resource.terraform_data.nope
    when = destroy
  }
}
resource "terraform_data" "r37" {
  provisioner "local-exec" {
    command = resource.x
    when = destroy
  }
}
resource "terraform_data" "r38" {
  provisioner "local-exec" {
    command = ephemeral.a.b
    when = destroy
  }
}
resource "terraform_data" "r39" {
  provisioner "local-exec" {
    command = action.a.b
    when = destroy
  }
}
resource "terraform_data" "r40" {
  provisioner "local-exec" {
    command = output.x
    when = destroy
  }
}
resource "terraform_data" "r41" {
  provisioner "local-exec" {
    command = var.l[0]
    when = destroy
  }
}
resource "terraform_data" "r42" {
  provisioner "local-exec" {
    command = var["l"]
    when = destroy
  }
}
resource "terraform_data" "r43" {
  provisioner "local-exec" {
    command = local[0]
    when = destroy
  }
}
resource "terraform_data" "r44" {
  provisioner "local-exec" {
    command = template.x
    when = destroy
  }
}
resource "terraform_data" "r45" {
  provisioner "local-exec" {
    command = lazy.x
    when = destroy
  }
}
resource "terraform_data" "r46" {
  provisioner "local-exec" {
    command = arg.x
    when = destroy
  }
}
resource "terraform_data" "r47" {
  provisioner "local-exec" {
    command = tofu.workspace
    when = destroy
  }
}
resource "terraform_data" "r48" {
  provisioner "local-exec" {
    command = null_resource.a.id
    when = destroy
  }
}
resource "terraform_data" "r49" {
  provisioner "local-exec" {
    command = provider::a::b(1)
    when = destroy
  }
}
resource "terraform_data" "r50" {
  provisioner "local-exec" {
    command = nofunc(1)
    when = destroy
  }
}
resource "terraform_data" "r51" {
  provisioner "local-exec" {
    command = upper()
    when = destroy
  }
}
resource "terraform_data" "r52" {
  provisioner "local-exec" {
    command = var.o.x.y
    when = destroy
  }
}
resource "terraform_data" "r53" {
  provisioner "local-exec" {
    command = missing
    when = destroy
  }
}
resource "terraform_data" "r54" {
  provisioner "local-exec" {
    command = each.key.x
    when = destroy
  }
}
resource "terraform_data" "r55" {
  provisioner "local-exec" {
    command = terraform_data.x["id"]
    when = destroy
  }
}
resource "terraform_data" "r56" {
  provisioner "local-exec" {
    command = terraform_data["x"]
    when = destroy
  }
}
resource "terraform_data" "r57" {
  provisioner "local-exec" {
    command = data.terraform_remote_state["d"]
    when = destroy
  }
}
resource "terraform_data" "r58" {
  provisioner "local-exec" {
    command = module["m"]
    when = destroy
  }
}
resource "terraform_data" "r59" {
  provisioner "local-exec" {
    command = check.x
    when = destroy
  }
}
resource "terraform_data" "r60" {
  provisioner "local-exec" {
    command = run.x
    when = destroy
  }
}
resource "terraform_data" "r61" {
  provisioner "local-exec" {
    command = string
    when = destroy
  }
}
resource "terraform_data" "r62" {
  provisioner "local-exec" {
    command = number
    when = destroy
  }
}
resource "terraform_data" "r63" {
  provisioner "local-exec" {
    command = null
    when = destroy
  }
}
resource "terraform_data" "r64" {
  provisioner "local-exec" {
    command = true.x
    when = destroy
  }
}
resource "terraform_data" "r65" {
  provisioner "local-exec" {
    command = path.root.x
    when = destroy
  }
}
resource "terraform_data" "r66" {
  provisioner "local-exec" {
    command = terraform.workspace.x
    when = destroy
  }
}
resource "terraform_data" "r67" {
  provisioner "local-exec" {
    command = count.index[0]
    when = destroy
  }
}
resource "terraform_data" "r68" {
  provisioner "local-exec" {
    command = module.mc.o
    when = destroy
  }
}
resource "terraform_data" "r69" {
  provisioner "local-exec" {
    command = module.mc[0].o
    when = destroy
  }
}
resource "terraform_data" "r70" {
  provisioner "local-exec" {
    command = module.mc[0].nope
    when = destroy
  }
}
resource "terraform_data" "r71" {
  provisioner "local-exec" {
    command = module.mc[*].o
    when = destroy
  }
}
resource "terraform_data" "r72" {
  provisioner "local-exec" {
    command = module.mf.o
    when = destroy
  }
}
resource "terraform_data" "r73" {
  provisioner "local-exec" {
    command = module.mf["a"]
    when = destroy
  }
}
resource "terraform_data" "r74" {
  provisioner "local-exec" {
    command = data.terraform_remote_state.d.nope
    when = destroy
  }
}
resource "terraform_data" "r75" {
  provisioner "local-exec" {
    command = data.terraform_remote_state.d[0]
    when = destroy
  }
}
