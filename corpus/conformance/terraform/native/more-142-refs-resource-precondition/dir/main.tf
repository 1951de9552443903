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
    precondition {
      condition = var.nope == 1
      error_message = "M ${var.nope}"
    }
  }
}
resource "terraform_data" "r1" {
  lifecycle {
    precondition {
      condition = local.nope == 1
      error_message = "M ${local.nope}"
    }
  }
}
resource "terraform_data" "r2" {
  lifecycle {
    precondition {
      condition = terraform_data.nope.id == 1
      error_message = "M ${terraform_data.nope.id}"
    }
  }
}
resource "terraform_data" "r3" {
  lifecycle {
    precondition {
      condition = data.terraform_remote_state.nope.outputs == 1
      error_message = "M ${data.terraform_remote_state.nope.outputs}"
    }
  }
}
resource "terraform_data" "r4" {
  lifecycle {
    precondition {
      condition = module.nope.x == 1
      error_message = "M ${module.nope.x}"
    }
  }
}
resource "terraform_data" "r5" {
  lifecycle {
    precondition {
      condition = each.key == 1
      error_message = "M ${each.key}"
    }
  }
}
resource "terraform_data" "r6" {
  lifecycle {
    precondition {
      condition = each.value == 1
      error_message = "M ${each.value}"
    }
  }
}
resource "terraform_data" "r7" {
  lifecycle {
    precondition {
      condition = each.x == 1
      error_message = "M ${each.x}"
    }
  }
}
resource "terraform_data" "r8" {
  lifecycle {
    precondition {
      condition = each == 1
      error_message = "M ${each}"
    }
  }
}
resource "terraform_data" "r9" {
  lifecycle {
    precondition {
      condition = count.index == 1
      error_message = "M ${count.index}"
    }
  }
}
resource "terraform_data" "r10" {
  lifecycle {
    precondition {
      condition = count.x == 1
      error_message = "M ${count.x}"
    }
  }
}
resource "terraform_data" "r11" {
  lifecycle {
    precondition {
      condition = count == 1
      error_message = "M ${count}"
    }
  }
}
resource "terraform_data" "r12" {
  lifecycle {
    precondition {
      condition = self.id == 1
      error_message = "M ${self.id}"
    }
  }
}
resource "terraform_data" "r13" {
  lifecycle {
    precondition {
      condition = self == 1
      error_message = "M ${self}"
    }
  }
}
resource "terraform_data" "r14" {
  lifecycle {
    precondition {
      condition = path.module == 1
      error_message = "M ${path.module}"
    }
  }
}
resource "terraform_data" "r15" {
  lifecycle {
    precondition {
      condition = path.nope == 1
      error_message = "M ${path.nope}"
    }
  }
}
resource "terraform_data" "r16" {
  lifecycle {
    precondition {
      condition = path == 1
      error_message = "M ${path}"
    }
  }
}
resource "terraform_data" "r17" {
  lifecycle {
    precondition {
      condition = terraform.workspace == 1
      error_message = "M ${terraform.workspace}"
    }
  }
}
resource "terraform_data" "r18" {
  lifecycle {
    precondition {
      condition = terraform.nope == 1
      error_message = "M ${terraform.nope}"
    }
  }
}
resource "terraform_data" "r19" {
  lifecycle {
    precondition {
      condition = var == 1
      error_message = "M ${var}"
    }
  }
}
resource "terraform_data" "r20" {
  lifecycle {
    precondition {
      condition = local == 1
      error_message = "M ${local}"
    }
  }
}
resource "terraform_data" "r21" {
  lifecycle {
    precondition {
      condition = data == 1
      error_message = "M ${data}"
    }
  }
}
resource "terraform_data" "r22" {
  lifecycle {
    precondition {
      condition = data.x == 1
      error_message = "M ${data.x}"
    }
  }
}
resource "terraform_data" "r23" {
  lifecycle {
    precondition {
      condition = module == 1
      error_message = "M ${module}"
    }
  }
}
resource "terraform_data" "r24" {
  lifecycle {
    precondition {
      condition = module.m == 1
      error_message = "M ${module.m}"
    }
  }
}
resource "terraform_data" "r25" {
  lifecycle {
    precondition {
      condition = module.m.o == 1
      error_message = "M ${module.m.o}"
    }
  }
}
resource "terraform_data" "r26" {
  lifecycle {
    precondition {
      condition = module.m.nope == 1
      error_message = "M ${module.m.nope}"
    }
  }
}
resource "terraform_data" "r27" {
  lifecycle {
    precondition {
      condition = terraform_data == 1
      error_message = "M ${terraform_data}"
    }
  }
}
resource "terraform_data" "r28" {
  lifecycle {
    precondition {
      condition = terraform_data.x == 1
      error_message = "M ${terraform_data.x}"
    }
  }
}
resource "terraform_data" "r29" {
  lifecycle {
    precondition {
      condition = terraform_data.x.nope == 1
      error_message = "M ${terraform_data.x.nope}"
    }
  }
}
resource "terraform_data" "r30" {
  lifecycle {
    precondition {
      condition = terraform_data.x[0].id == 1
      error_message = "M ${terraform_data.x[0].id}"
    }
  }
}
resource "terraform_data" "r31" {
  lifecycle {
    precondition {
      condition = terraform_data.c.id == 1
      error_message = "M ${terraform_data.c.id}"
    }
  }
}
resource "terraform_data" "r32" {
  lifecycle {
    precondition {
      condition = terraform_data.c[0].id == 1
      error_message = "M ${terraform_data.c[0].id}"
    }
  }
}
resource "terraform_data" "r33" {
  lifecycle {
    precondition {
      condition = terraform_data.f.id == 1
      error_message = "M ${terraform_data.f.id}"
    }
  }
}
resource "terraform_data" "r34" {
  lifecycle {
    precondition {
      condition = terraform_data.f["a"].id == 1
      error_message = "M ${terraform_data.f["a"].id}"
    }
  }
}
resource "terraform_data" "r35" {
  lifecycle {
    precondition {
      condition = terraform_data.c[*].id == 1
      error_message = "M ${terraform_data.c[*].id}"
    }
  }
}
resource "terraform_data" "r36" {
  lifecycle {
    precondition {
      condition = resource.terraform_data.nope == 1
      error_message = "M ${resource.terraform_data.nope}"
    }
  }
}
resource "terraform_data" "r37" {
  lifecycle {
    precondition {
      condition = resource.x == 1
      error_message = "M ${resource.x}"
    }
  }
}
resource "terraform_data" "r38" {
  lifecycle {
    precondition {
      condition = ephemeral.a.b == 1
      error_message = "M ${ephemeral.a.b}"
    }
  }
}
resource "terraform_data" "r39" {
  lifecycle {
    precondition {
      condition = action.a.b == 1
      error_message = "M ${action.a.b}"
    }
  }
}
resource "terraform_data" "r40" {
  lifecycle {
    precondition {
      condition = output.x == 1
      error_message = "M ${output.x}"
    }
  }
}
resource "terraform_data" "r41" {
  lifecycle {
    precondition {
      condition = var.l[0] == 1
      error_message = "M ${var.l[0]}"
    }
  }
}
resource "terraform_data" "r42" {
  lifecycle {
    precondition {
      condition = var["l"] == 1
      error_message = "M ${var["l"]}"
    }
  }
}
resource "terraform_data" "r43" {
  lifecycle {
    precondition {
      condition = local[0] == 1
      error_message = "M ${local[0]}"
    }
  }
}
resource "terraform_data" "r44" {
  lifecycle {
    precondition {
      condition = template.x == 1
      error_message = "M ${template.x}"
    }
  }
}
resource "terraform_data" "r45" {
  lifecycle {
    precondition {
      condition = lazy.x == 1
      error_message = "M ${lazy.x}"
    }
  }
}
resource "terraform_data" "r46" {
  lifecycle {
    precondition {
      condition = arg.x == 1
      error_message = "M ${arg.x}"
    }
  }
}
resource "terraform_data" "r47" {
  lifecycle {
    precondition {
      condition = tofu.workspace == 1
      error_message = "M ${tofu.workspace}"
    }
  }
}
resource "terraform_data" "r48" {
  lifecycle {
    precondition {
      condition = null_resource.a.id == 1
      error_message = "M ${null_resource.a.id}"
    }
  }
}
resource "terraform_data" "r49" {
  lifecycle {
    precondition {
      condition = provider::a::b(1) == 1
      error_message = "M ${provider::a::b(1)}"
    }
  }
}
resource "terraform_data" "r50" {
  lifecycle {
    precondition {
      condition = nofunc(1) == 1
      error_message = "M ${nofunc(1)}"
    }
  }
}
resource "terraform_data" "r51" {
  lifecycle {
    precondition {
      condition = upper() == 1
      error_message = "M ${upper()}"
    }
  }
}
resource "terraform_data" "r52" {
  lifecycle {
    precondition {
      condition = var.o.x.y == 1
      error_message = "M ${var.o.x.y}"
    }
  }
}
resource "terraform_data" "r53" {
  lifecycle {
    precondition {
      condition = missing == 1
      error_message = "M ${missing}"
    }
  }
}
resource "terraform_data" "r54" {
  lifecycle {
    precondition {
      condition = each.key.x == 1
      error_message = "M ${each.key.x}"
    }
  }
}
resource "terraform_data" "r55" {
  lifecycle {
    precondition {
      condition = terraform_data.x["id"] == 1
      error_message = "M ${terraform_data.x["id"]}"
    }
  }
}
resource "terraform_data" "r56" {
  lifecycle {
    precondition {
      condition = terraform_data["x"] == 1
      error_message = "M ${terraform_data["x"]}"
    }
  }
}
resource "terraform_data" "r57" {
  lifecycle {
    precondition {
      condition = data.terraform_remote_state["d"] == 1
      error_message = "M ${data.terraform_remote_state["d"]}"
    }
  }
}
resource "terraform_data" "r58" {
  lifecycle {
    precondition {
      condition = module["m"] == 1
      error_message = "M ${module["m"]}"
    }
  }
}
resource "terraform_data" "r59" {
  lifecycle {
    precondition {
      condition = check.x == 1
      error_message = "M ${check.x}"
    }
  }
}
resource "terraform_data" "r60" {
  lifecycle {
    precondition {
      condition = run.x == 1
      error_message = "M ${run.x}"
    }
  }
}
resource "terraform_data" "r61" {
  lifecycle {
    precondition {
      condition = string == 1
      error_message = "M ${string}"
    }
  }
}
resource "terraform_data" "r62" {
  lifecycle {
    precondition {
      condition = number == 1
      error_message = "M ${number}"
    }
  }
}
resource "terraform_data" "r63" {
  lifecycle {
    precondition {
      condition = null == 1
      error_message = "M ${null}"
    }
  }
}
resource "terraform_data" "r64" {
  lifecycle {
    precondition {
      condition = true.x == 1
      error_message = "M ${true.x}"
    }
  }
}
resource "terraform_data" "r65" {
  lifecycle {
    precondition {
      condition = path.root.x == 1
      error_message = "M ${path.root.x}"
    }
  }
}
resource "terraform_data" "r66" {
  lifecycle {
    precondition {
      condition = terraform.workspace.x == 1
      error_message = "M ${terraform.workspace.x}"
    }
  }
}
resource "terraform_data" "r67" {
  lifecycle {
    precondition {
      condition = count.index[0] == 1
      error_message = "M ${count.index[0]}"
    }
  }
}
resource "terraform_data" "r68" {
  lifecycle {
    precondition {
      condition = module.mc.o == 1
      error_message = "M ${module.mc.o}"
    }
  }
}
resource "terraform_data" "r69" {
  lifecycle {
    precondition {
      condition = module.mc[0].o == 1
      error_message = "M ${module.mc[0].o}"
    }
  }
}
resource "terraform_data" "r70" {
  lifecycle {
    precondition {
      condition = module.mc[0].nope == 1
      error_message = "M ${module.mc[0].nope}"
    }
  }
}
resource "terraform_data" "r71" {
  lifecycle {
    precondition {
      condition = module.mc[*].o == 1
      error_message = "M ${module.mc[*].o}"
    }
  }
}
resource "terraform_data" "r72" {
  lifecycle {
    precondition {
      condition = module.mf.o == 1
      error_message = "M ${module.mf.o}"
    }
  }
}
resource "terraform_data" "r73" {
  lifecycle {
    precondition {
      condition = module.mf["a"] == 1
      error_message = "M ${module.mf["a"]}"
    }
  }
}
resource "terraform_data" "r74" {
  lifecycle {
    precondition {
      condition = data.terraform_remote_state.d.nope == 1
      error_message = "M ${data.terraform_remote_state.d.nope}"
    }
  }
}
resource "terraform_data" "r75" {
  lifecycle {
    precondition {
      condition = data.terraform_remote_state.d[0] == 1
      error_message = "M ${data.terraform_remote_state.d[0]}"
    }
  }
}
