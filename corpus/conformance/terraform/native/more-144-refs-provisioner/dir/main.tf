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
  }
}
resource "terraform_data" "r1" {
  provisioner "local-exec" {
    command = local.nope
  }
}
resource "terraform_data" "r2" {
  provisioner "local-exec" {
    command = terraform_data.nope.id
  }
}
resource "terraform_data" "r3" {
  provisioner "local-exec" {
    command = data.terraform_remote_state.nope.outputs
  }
}
resource "terraform_data" "r4" {
  provisioner "local-exec" {
    command = module.nope.x
  }
}
resource "terraform_data" "r5" {
  provisioner "local-exec" {
    command = each.key
  }
}
resource "terraform_data" "r6" {
  provisioner "local-exec" {
    command = each.value
  }
}
resource "terraform_data" "r7" {
  provisioner "local-exec" {
    command = each.x
  }
}
resource "terraform_data" "r8" {
  provisioner "local-exec" {
    command = each
  }
}
resource "terraform_data" "r9" {
  provisioner "local-exec" {
    command = count.index
  }
}
resource "terraform_data" "r10" {
  provisioner "local-exec" {
    command = count.x
  }
}
resource "terraform_data" "r11" {
  provisioner "local-exec" {
    command = count
  }
}
resource "terraform_data" "r12" {
  provisioner "local-exec" {
    command = self.id
  }
}
resource "terraform_data" "r13" {
  provisioner "local-exec" {
    command = self
  }
}
resource "terraform_data" "r14" {
  provisioner "local-exec" {
    command = path.module
  }
}
resource "terraform_data" "r15" {
  provisioner "local-exec" {
    command = path.nope
  }
}
resource "terraform_data" "r16" {
  provisioner "local-exec" {
    command = path
  }
}
resource "terraform_data" "r17" {
  provisioner "local-exec" {
    command = terraform.workspace
  }
}
resource "terraform_data" "r18" {
  provisioner "local-exec" {
    command = terraform.nope
  }
}
resource "terraform_data" "r19" {
  provisioner "local-exec" {
    command = var
  }
}
resource "terraform_data" "r20" {
  provisioner "local-exec" {
    command = local
  }
}
resource "terraform_data" "r21" {
  provisioner "local-exec" {
    command = data
  }
}
resource "terraform_data" "r22" {
  provisioner "local-exec" {
    command = data.x
  }
}
resource "terraform_data" "r23" {
  provisioner "local-exec" {
    command = module
  }
}
resource "terraform_data" "r24" {
  provisioner "local-exec" {
    command = module.m
  }
}
resource "terraform_data" "r25" {
  provisioner "local-exec" {
    command = module.m.o
  }
}
resource "terraform_data" "r26" {
  provisioner "local-exec" {
    command = module.m.nope
  }
}
resource "terraform_data" "r27" {
  provisioner "local-exec" {
    command = terraform_data
  }
}
resource "terraform_data" "r28" {
  provisioner "local-exec" {
    command = terraform_data.x
  }
}
resource "terraform_data" "r29" {
  provisioner "local-exec" {
    command = terraform_data.x.nope
  }
}
resource "terraform_data" "r30" {
  provisioner "local-exec" {
    command = terraform_data.x[0].id
  }
}
resource "terraform_data" "r31" {
  provisioner "local-exec" {
    command = terraform_data.c.id
  }
}
resource "terraform_data" "r32" {
  provisioner "local-exec" {
    command = terraform_data.c[0].id
  }
}
resource "terraform_data" "r33" {
  provisioner "local-exec" {
    command = terraform_data.f.id
  }
}
resource "terraform_data" "r34" {
  provisioner "local-exec" {
    command = terraform_data.f["a"].id
  }
}
resource "terraform_data" "r35" {
  provisioner "local-exec" {
    command = terraform_data.c[*].id
  }
}
resource "terraform_data" "r36" {
  provisioner "local-exec" {
    command = resource.terraform_data.nope
  }
}
resource "terraform_data" "r37" {
  provisioner "local-exec" {
    command = resource.x
  }
}
resource "terraform_data" "r38" {
  provisioner "local-exec" {
    command = ephemeral.a.b
  }
}
resource "terraform_data" "r39" {
  provisioner "local-exec" {
    command = action.a.b
  }
}
resource "terraform_data" "r40" {
  provisioner "local-exec" {
    command = output.x
  }
}
resource "terraform_data" "r41" {
  provisioner "local-exec" {
    command = var.l[0]
  }
}
resource "terraform_data" "r42" {
  provisioner "local-exec" {
    command = var["l"]
  }
}
resource "terraform_data" "r43" {
  provisioner "local-exec" {
    command = local[0]
  }
}
resource "terraform_data" "r44" {
  provisioner "local-exec" {
    command = template.x
  }
}
resource "terraform_data" "r45" {
  provisioner "local-exec" {
    command = lazy.x
  }
}
resource "terraform_data" "r46" {
  provisioner "local-exec" {
    command = arg.x
  }
}
resource "terraform_data" "r47" {
  provisioner "local-exec" {
    command = tofu.workspace
  }
}
resource "terraform_data" "r48" {
  provisioner "local-exec" {
    command = null_resource.a.id
  }
}
resource "terraform_data" "r49" {
  provisioner "local-exec" {
    command = provider::a::b(1)
  }
}
resource "terraform_data" "r50" {
  provisioner "local-exec" {
    command = nofunc(1)
  }
}
resource "terraform_data" "r51" {
  provisioner "local-exec" {
    command = upper()
  }
}
resource "terraform_data" "r52" {
  provisioner "local-exec" {
    command = var.o.x.y
  }
}
resource "terraform_data" "r53" {
  provisioner "local-exec" {
    command = missing
  }
}
resource "terraform_data" "r54" {
  provisioner "local-exec" {
    command = each.key.x
  }
}
resource "terraform_data" "r55" {
  provisioner "local-exec" {
    command = terraform_data.x["id"]
  }
}
resource "terraform_data" "r56" {
  provisioner "local-exec" {
    command = terraform_data["x"]
  }
}
resource "terraform_data" "r57" {
  provisioner "local-exec" {
    command = data.terraform_remote_state["d"]
  }
}
resource "terraform_data" "r58" {
  provisioner "local-exec" {
    command = module["m"]
  }
}
resource "terraform_data" "r59" {
  provisioner "local-exec" {
    command = check.x
  }
}
resource "terraform_data" "r60" {
  provisioner "local-exec" {
    command = run.x
  }
}
resource "terraform_data" "r61" {
  provisioner "local-exec" {
    command = string
  }
}
resource "terraform_data" "r62" {
  provisioner "local-exec" {
    command = number
  }
}
resource "terraform_data" "r63" {
  provisioner "local-exec" {
    command = null
  }
}
resource "terraform_data" "r64" {
  provisioner "local-exec" {
    command = true.x
  }
}
resource "terraform_data" "r65" {
  provisioner "local-exec" {
    command = path.root.x
  }
}
resource "terraform_data" "r66" {
  provisioner "local-exec" {
    command = terraform.workspace.x
  }
}
resource "terraform_data" "r67" {
  provisioner "local-exec" {
    command = count.index[0]
  }
}
resource "terraform_data" "r68" {
  provisioner "local-exec" {
    command = module.mc.o
  }
}
resource "terraform_data" "r69" {
  provisioner "local-exec" {
    command = module.mc[0].o
  }
}
resource "terraform_data" "r70" {
  provisioner "local-exec" {
    command = module.mc[0].nope
  }
}
resource "terraform_data" "r71" {
  provisioner "local-exec" {
    command = module.mc[*].o
  }
}
resource "terraform_data" "r72" {
  provisioner "local-exec" {
    command = module.mf.o
  }
}
resource "terraform_data" "r73" {
  provisioner "local-exec" {
    command = module.mf["a"]
  }
}
resource "terraform_data" "r74" {
  provisioner "local-exec" {
    command = data.terraform_remote_state.d.nope
  }
}
resource "terraform_data" "r75" {
  provisioner "local-exec" {
    command = data.terraform_remote_state.d[0]
  }
}
