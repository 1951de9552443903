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
  lifecycle {
    postcondition {
      condition = var.nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r1" {
  lifecycle {
    postcondition {
      condition = local.nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r2" {
  lifecycle {
    postcondition {
      condition = terraform_data.nope.id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r3" {
  lifecycle {
    postcondition {
      condition = data.terraform_remote_state.nope.outputs == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r4" {
  lifecycle {
    postcondition {
      condition = module.nope.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r5" {
  lifecycle {
    postcondition {
      condition = each.key == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r6" {
  lifecycle {
    postcondition {
      condition = each.value == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r7" {
  lifecycle {
    postcondition {
      condition = each.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r8" {
  lifecycle {
    postcondition {
      condition = each == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r9" {
  lifecycle {
    postcondition {
      condition = count.index == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r10" {
  lifecycle {
    postcondition {
      condition = count.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r11" {
  lifecycle {
    postcondition {
      condition = count == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r12" {
  lifecycle {
    postcondition {
      condition = self.id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r13" {
  lifecycle {
    postcondition {
      condition = self == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r14" {
  lifecycle {
    postcondition {
      condition = path.module == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r15" {
  lifecycle {
    postcondition {
      condition = path.nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r16" {
  lifecycle {
    postcondition {
      condition = path == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r17" {
  lifecycle {
    postcondition {
      condition = terraform.workspace == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r18" {
  lifecycle {
    postcondition {
      condition = terraform.nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r19" {
  lifecycle {
    postcondition {
      condition = var == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r20" {
  lifecycle {
    postcondition {
      condition = local == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r21" {
  lifecycle {
    postcondition {
      condition = data == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r22" {
  lifecycle {
    postcondition {
      condition = data.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r23" {
  lifecycle {
    postcondition {
      condition = module == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r24" {
  lifecycle {
    postcondition {
      condition = module.m == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r25" {
  lifecycle {
    postcondition {
      condition = module.m.o == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r26" {
  lifecycle {
    postcondition {
      condition = module.m.nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r27" {
  lifecycle {
    postcondition {
      condition = terraform_data == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r28" {
  lifecycle {
    postcondition {
      condition = terraform_data.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r29" {
  lifecycle {
    postcondition {
      condition = terraform_data.x.nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r30" {
  lifecycle {
    postcondition {
      condition = terraform_data.x[0].id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r31" {
  lifecycle {
    postcondition {
      condition = terraform_data.c.id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r32" {
  lifecycle {
    postcondition {
      condition = terraform_data.c[0].id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r33" {
  lifecycle {
    postcondition {
      condition = terraform_data.f.id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r34" {
  lifecycle {
    postcondition {
      condition = terraform_data.f["a"].id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r35" {
  lifecycle {
    postcondition {
      condition = terraform_data.c[*].id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r36" {
  lifecycle {
    postcondition {
      condition = resource.terraform_data.nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r37" {
  lifecycle {
    postcondition {
      condition = resource.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r38" {
  lifecycle {
    postcondition {
      condition = ephemeral.a.b == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r39" {
  lifecycle {
    postcondition {
      condition = action.a.b == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r40" {
  lifecycle {
    postcondition {
      condition = output.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r41" {
  lifecycle {
    postcondition {
      condition = var.l[0] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r42" {
  lifecycle {
    postcondition {
      condition = var["l"] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r43" {
  lifecycle {
    postcondition {
      condition = local[0] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r44" {
  lifecycle {
    postcondition {
      condition = template.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r45" {
  lifecycle {
    postcondition {
      condition = lazy.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r46" {
  lifecycle {
    postcondition {
      condition = arg.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r47" {
  lifecycle {
    postcondition {
      condition = tofu.workspace == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r48" {
  lifecycle {
    postcondition {
      condition = null_resource.a.id == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r49" {
  lifecycle {
    postcondition {
      condition = provider::a::b(1) == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r50" {
  lifecycle {
    postcondition {
      condition = nofunc(1) == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r51" {
  lifecycle {
    postcondition {
      condition = upper() == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r52" {
  lifecycle {
    postcondition {
      condition = var.o.x.y == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r53" {
  lifecycle {
    postcondition {
      condition = missing == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r54" {
  lifecycle {
    postcondition {
      condition = each.key.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r55" {
  lifecycle {
    postcondition {
      condition = terraform_data.x["id"] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r56" {
  lifecycle {
    postcondition {
      condition = terraform_data["x"] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r57" {
  lifecycle {
    postcondition {
      condition = data.terraform_remote_state["d"] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r58" {
  lifecycle {
    postcondition {
      condition = module["m"] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r59" {
  lifecycle {
    postcondition {
      condition = check.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r60" {
  lifecycle {
    postcondition {
      condition = run.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r61" {
  lifecycle {
    postcondition {
      condition = string == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r62" {
  lifecycle {
    postcondition {
      condition = number == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r63" {
  lifecycle {
    postcondition {
      condition = null == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r64" {
  lifecycle {
    postcondition {
      condition = true.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r65" {
  lifecycle {
    postcondition {
      condition = path.root.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r66" {
  lifecycle {
    postcondition {
      condition = terraform.workspace.x == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r67" {
  lifecycle {
    postcondition {
      condition = count.index[0] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r68" {
  lifecycle {
    postcondition {
      condition = module.mc.o == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r69" {
  lifecycle {
    postcondition {
      condition = module.mc[0].o == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r70" {
  lifecycle {
    postcondition {
      condition = module.mc[0].nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r71" {
  lifecycle {
    postcondition {
      condition = module.mc[*].o == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r72" {
  lifecycle {
    postcondition {
      condition = module.mf.o == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r73" {
  lifecycle {
    postcondition {
      condition = module.mf["a"] == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r74" {
  lifecycle {
    postcondition {
      condition = data.terraform_remote_state.d.nope == 1
      error_message = "M"
    }
  }
}
resource "terraform_data" "r75" {
  lifecycle {
    postcondition {
      condition = data.terraform_remote_state.d[0] == 1
      error_message = "M"
    }
  }
}
