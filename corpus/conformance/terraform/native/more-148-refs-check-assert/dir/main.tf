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
check "r0" {
  assert {
    condition = var.nope == 1
    error_message = "M ${var.nope}"
  }
}
check "r1" {
  assert {
    condition = local.nope == 1
    error_message = "M ${local.nope}"
  }
}
check "r2" {
  assert {
    condition = terraform_data.nope.id == 1
    error_message = "M ${terraform_data.nope.id}"
  }
}
check "r3" {
  assert {
    condition = data.terraform_remote_state.nope.outputs == 1
    error_message = "M ${data.terraform_remote_state.nope.outputs}"
  }
}
check "r4" {
  assert {
    condition = module.nope.x == 1
    error_message = "M ${module.nope.x}"
  }
}
check "r5" {
  assert {
    condition = each.key == 1
    error_message = "M ${each.key}"
  }
}
check "r6" {
  assert {
    condition = each.value == 1
    error_message = "M ${each.value}"
  }
}
check "r7" {
  assert {
    condition = each.x == 1
    error_message = "M ${each.x}"
  }
}
check "r8" {
  assert {
    condition = each == 1
    error_message = "M ${each}"
  }
}
check "r9" {
  assert {
    condition = count.index == 1
    error_message = "M ${count.index}"
  }
}
check "r10" {
  assert {
    condition = count.x == 1
    error_message = "M ${count.x}"
  }
}
check "r11" {
  assert {
    condition = count == 1
    error_message = "M ${count}"
  }
}
check "r12" {
  assert {
    condition = self.id == 1
    error_message = "M ${self.id}"
  }
}
check "r13" {
  assert {
    condition = self == 1
    error_message = "M ${self}"
  }
}
check "r14" {
  assert {
    condition = path.module == 1
    error_message = "M ${path.module}"
  }
}
check "r15" {
  assert {
    condition = path.nope == 1
    error_message = "M ${path.nope}"
  }
}
check "r16" {
  assert {
    condition = path == 1
    error_message = "M ${path}"
  }
}
check "r17" {
  assert {
    condition = terraform.workspace == 1
    error_message = "M ${terraform.workspace}"
  }
}
check "r18" {
  assert {
    condition = terraform.nope == 1
    error_message = "M ${terraform.nope}"
  }
}
check "r19" {
  assert {
    condition = var == 1
    error_message = "M ${var}"
  }
}
check "r20" {
  assert {
    condition = local == 1
    error_message = "M ${local}"
  }
}
check "r21" {
  assert {
    condition = data == 1
    error_message = "M ${data}"
  }
}
check "r22" {
  assert {
    condition = data.x == 1
    error_message = "M ${data.x}"
  }
}
check "r23" {
  assert {
    condition = module == 1
    error_message = "M ${module}"
  }
}
check "r24" {
  assert {
    condition = module.m == 1
    error_message = "M ${module.m}"
  }
}
check "r25" {
  assert {
    condition = module.m.o == 1
    error_message = "M ${module.m.o}"
  }
}
check "r26" {
  assert {
    condition = module.m.nope == 1
    error_message = "M ${module.m.nope}"
  }
}
check "r27" {
  assert {
    condition = terraform_data == 1
    error_message = "M ${terraform_data}"
  }
}
check "r28" {
  assert {
    condition = terraform_data.x == 1
    error_message = "M ${terraform_data.x}"
  }
}
check "r29" {
  assert {
    condition = terraform_data.x.nope == 1
    error_message = "M ${terraform_data.x.nope}"
  }
}
check "r30" {
  assert {
    condition = terraform_data.x[0].id == 1
    error_message = "M ${terraform_data.x[0].id}"
  }
}
check "r31" {
  assert {
    condition = terraform_data.c.id == 1
    error_message = "M ${terraform_data.c.id}"
  }
}
check "r32" {
  assert {
    condition = terraform_data.c[0].id == 1
    error_message = "M ${terraform_data.c[0].id}"
  }
}
check "r33" {
  assert {
    condition = terraform_data.f.id == 1
    error_message = "M ${terraform_data.f.id}"
  }
}
check "r34" {
  assert {
    condition = terraform_data.f["a"].id == 1
    error_message = "M ${terraform_data.f["a"].id}"
  }
}
check "r35" {
  assert {
    condition = terraform_data.c[*].id == 1
    error_message = "M ${terraform_data.c[*].id}"
  }
}
check "r36" {
  assert {
    condition = resource.terraform_data.nope == 1
    error_message = "M ${resource.terraform_data.nope}"
  }
}
check "r37" {
  assert {
    condition = resource.x == 1
    error_message = "M ${resource.x}"
  }
}
check "r38" {
  assert {
    condition = ephemeral.a.b == 1
    error_message = "M ${ephemeral.a.b}"
  }
}
check "r39" {
  assert {
    condition = action.a.b == 1
    error_message = "M ${action.a.b}"
  }
}
check "r40" {
  assert {
    condition = output.x == 1
    error_message = "M ${output.x}"
  }
}
check "r41" {
  assert {
    condition = var.l[0] == 1
    error_message = "M ${var.l[0]}"
  }
}
check "r42" {
  assert {
    condition = var["l"] == 1
    error_message = "M ${var["l"]}"
  }
}
check "r43" {
  assert {
    condition = local[0] == 1
    error_message = "M ${local[0]}"
  }
}
check "r44" {
  assert {
    condition = template.x == 1
    error_message = "M ${template.x}"
  }
}
check "r45" {
  assert {
    condition = lazy.x == 1
    error_message = "M ${lazy.x}"
  }
}
check "r46" {
  assert {
    condition = arg.x == 1
    error_message = "M ${arg.x}"
  }
}
check "r47" {
  assert {
    condition = tofu.workspace == 1
    error_message = "M ${tofu.workspace}"
  }
}
check "r48" {
  assert {
    condition = null_resource.a.id == 1
    error_message = "M ${null_resource.a.id}"
  }
}
check "r49" {
  assert {
    condition = provider::a::b(1) == 1
    error_message = "M ${provider::a::b(1)}"
  }
}
check "r50" {
  assert {
    condition = nofunc(1) == 1
    error_message = "M ${nofunc(1)}"
  }
}
check "r51" {
  assert {
    condition = upper() == 1
    error_message = "M ${upper()}"
  }
}
check "r52" {
  assert {
    condition = var.o.x.y == 1
    error_message = "M ${var.o.x.y}"
  }
}
check "r53" {
  assert {
    condition = missing == 1
    error_message = "M ${missing}"
  }
}
check "r54" {
  assert {
    condition = each.key.x == 1
    error_message = "M ${each.key.x}"
  }
}
check "r55" {
  assert {
    condition = terraform_data.x["id"] == 1
    error_message = "M ${terraform_data.x["id"]}"
  }
}
check "r56" {
  assert {
    condition = terraform_data["x"] == 1
    error_message = "M ${terraform_data["x"]}"
  }
}
check "r57" {
  assert {
    condition = data.terraform_remote_state["d"] == 1
    error_message = "M ${data.terraform_remote_state["d"]}"
  }
}
check "r58" {
  assert {
    condition = module["m"] == 1
    error_message = "M ${module["m"]}"
  }
}
check "r59" {
  assert {
    condition = check.x == 1
    error_message = "M ${check.x}"
  }
}
check "r60" {
  assert {
    condition = run.x == 1
    error_message = "M ${run.x}"
  }
}
check "r61" {
  assert {
    condition = string == 1
    error_message = "M ${string}"
  }
}
check "r62" {
  assert {
    condition = number == 1
    error_message = "M ${number}"
  }
}
check "r63" {
  assert {
    condition = null == 1
    error_message = "M ${null}"
  }
}
check "r64" {
  assert {
    condition = true.x == 1
    error_message = "M ${true.x}"
  }
}
check "r65" {
  assert {
    condition = path.root.x == 1
    error_message = "M ${path.root.x}"
  }
}
check "r66" {
  assert {
    condition = terraform.workspace.x == 1
    error_message = "M ${terraform.workspace.x}"
  }
}
check "r67" {
  assert {
    condition = count.index[0] == 1
    error_message = "M ${count.index[0]}"
  }
}
check "r68" {
  assert {
    condition = module.mc.o == 1
    error_message = "M ${module.mc.o}"
  }
}
check "r69" {
  assert {
    condition = module.mc[0].o == 1
    error_message = "M ${module.mc[0].o}"
  }
}
check "r70" {
  assert {
    condition = module.mc[0].nope == 1
    error_message = "M ${module.mc[0].nope}"
  }
}
check "r71" {
  assert {
    condition = module.mc[*].o == 1
    error_message = "M ${module.mc[*].o}"
  }
}
check "r72" {
  assert {
    condition = module.mf.o == 1
    error_message = "M ${module.mf.o}"
  }
}
check "r73" {
  assert {
    condition = module.mf["a"] == 1
    error_message = "M ${module.mf["a"]}"
  }
}
check "r74" {
  assert {
    condition = data.terraform_remote_state.d.nope == 1
    error_message = "M ${data.terraform_remote_state.d.nope}"
  }
}
check "r75" {
  assert {
    condition = data.terraform_remote_state.d[0] == 1
    error_message = "M ${data.terraform_remote_state.d[0]}"
  }
}
