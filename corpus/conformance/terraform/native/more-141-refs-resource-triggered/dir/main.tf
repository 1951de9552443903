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
    replace_triggered_by = [var.nope]
  }
}
resource "terraform_data" "r1" {
  lifecycle {
    replace_triggered_by = [local.nope]
  }
}
resource "terraform_data" "r2" {
  lifecycle {
    replace_triggered_by = [terraform_data.nope.id]
  }
}
resource "terraform_data" "r3" {
  lifecycle {
    replace_triggered_by = [data.terraform_remote_state.nope.outputs]
  }
}
resource "terraform_data" "r4" {
  lifecycle {
    replace_triggered_by = [module.nope.x]
  }
}
resource "terraform_data" "r5" {
  lifecycle {
    replace_triggered_by = [each.key]
  }
}
resource "terraform_data" "r6" {
  lifecycle {
    replace_triggered_by = [each.value]
  }
}
resource "terraform_data" "r7" {
  lifecycle {
    replace_triggered_by = [each.x]
  }
}
resource "terraform_data" "r8" {
  lifecycle {
    replace_triggered_by = [each]
  }
}
resource "terraform_data" "r9" {
  lifecycle {
    replace_triggered_by = [count.index]
  }
}
resource "terraform_data" "r10" {
  lifecycle {
    replace_triggered_by = [count.x]
  }
}
resource "terraform_data" "r11" {
  lifecycle {
    replace_triggered_by = [count]
  }
}
resource "terraform_data" "r12" {
  lifecycle {
    replace_triggered_by = [self.id]
  }
}
resource "terraform_data" "r13" {
  lifecycle {
    replace_triggered_by = [self]
  }
}
resource "terraform_data" "r14" {
  lifecycle {
    replace_triggered_by = [path.module]
  }
}
resource "terraform_data" "r15" {
  lifecycle {
    replace_triggered_by = [path.nope]
  }
}
resource "terraform_data" "r16" {
  lifecycle {
    replace_triggered_by = [path]
  }
}
resource "terraform_data" "r17" {
  lifecycle {
    replace_triggered_by = [terraform.workspace]
  }
}
resource "terraform_data" "r18" {
  lifecycle {
    replace_triggered_by = [terraform.nope]
  }
}
resource "terraform_data" "r19" {
  lifecycle {
    replace_triggered_by = [var]
  }
}
resource "terraform_data" "r20" {
  lifecycle {
    replace_triggered_by = [local]
  }
}
resource "terraform_data" "r21" {
  lifecycle {
    replace_triggered_by = [data]
  }
}
resource "terraform_data" "r22" {
  lifecycle {
    replace_triggered_by = [data.x]
  }
}
resource "terraform_data" "r23" {
  lifecycle {
    replace_triggered_by = [module]
  }
}
resource "terraform_data" "r24" {
  lifecycle {
    replace_triggered_by = [module.m]
  }
}
resource "terraform_data" "r25" {
  lifecycle {
    replace_triggered_by = [module.m.o]
  }
}
resource "terraform_data" "r26" {
  lifecycle {
    replace_triggered_by = [module.m.nope]
  }
}
resource "terraform_data" "r27" {
  lifecycle {
    replace_triggered_by = [terraform_data]
  }
}
resource "terraform_data" "r28" {
  lifecycle {
    replace_triggered_by = [terraform_data.x]
  }
}
resource "terraform_data" "r29" {
  lifecycle {
    replace_triggered_by = [terraform_data.x.nope]
  }
}
resource "terraform_data" "r30" {
  lifecycle {
    replace_triggered_by = [terraform_data.x[0].id]
  }
}
resource "terraform_data" "r31" {
  lifecycle {
    replace_triggered_by = [terraform_data.c.id]
  }
}
resource "terraform_data" "r32" {
  lifecycle {
    replace_triggered_by = [terraform_data.c[0].id]
  }
}
resource "terraform_data" "r33" {
  lifecycle {
    replace_triggered_by = [terraform_data.f.id]
  }
}
resource "terraform_data" "r34" {
  lifecycle {
    replace_triggered_by = [terraform_data.f["a"].id]
  }
}
resource "terraform_data" "r35" {
  lifecycle {
    replace_triggered_by = [terraform_data.c[*].id]
  }
}
resource "terraform_data" "r36" {
  lifecycle {
    replace_triggered_by = [resource.terraform_data.nope]
  }
}
resource "terraform_data" "r37" {
  lifecycle {
    replace_triggered_by = [resource.x]
  }
}
resource "terraform_data" "r38" {
  lifecycle {
    replace_triggered_by = [ephemeral.a.b]
  }
}
resource "terraform_data" "r39" {
  lifecycle {
    replace_triggered_by = [action.a.b]
  }
}
resource "terraform_data" "r40" {
  lifecycle {
    replace_triggered_by = [output.x]
  }
}
resource "terraform_data" "r41" {
  lifecycle {
    replace_triggered_by = [var.l[0]]
  }
}
resource "terraform_data" "r42" {
  lifecycle {
    replace_triggered_by = [var["l"]]
  }
}
resource "terraform_data" "r43" {
  lifecycle {
    replace_triggered_by = [local[0]]
  }
}
resource "terraform_data" "r44" {
  lifecycle {
    replace_triggered_by = [template.x]
  }
}
resource "terraform_data" "r45" {
  lifecycle {
    replace_triggered_by = [lazy.x]
  }
}
resource "terraform_data" "r46" {
  lifecycle {
    replace_triggered_by = [arg.x]
  }
}
resource "terraform_data" "r47" {
  lifecycle {
    replace_triggered_by = [tofu.workspace]
  }
}
resource "terraform_data" "r48" {
  lifecycle {
    replace_triggered_by = [null_resource.a.id]
  }
}
resource "terraform_data" "r49" {
  lifecycle {
    replace_triggered_by = [provider::a::b(1)]
  }
}
resource "terraform_data" "r50" {
  lifecycle {
    replace_triggered_by = [nofunc(1)]
  }
}
resource "terraform_data" "r51" {
  lifecycle {
    replace_triggered_by = [upper()]
  }
}
resource "terraform_data" "r52" {
  lifecycle {
    replace_triggered_by = [var.o.x.y]
  }
}
resource "terraform_data" "r53" {
  lifecycle {
    replace_triggered_by = [missing]
  }
}
resource "terraform_data" "r54" {
  lifecycle {
    replace_triggered_by = [each.key.x]
  }
}
resource "terraform_data" "r55" {
  lifecycle {
    replace_triggered_by = [terraform_data.x["id"]]
  }
}
resource "terraform_data" "r56" {
  lifecycle {
    replace_triggered_by = [terraform_data["x"]]
  }
}
resource "terraform_data" "r57" {
  lifecycle {
    replace_triggered_by = [data.terraform_remote_state["d"]]
  }
}
resource "terraform_data" "r58" {
  lifecycle {
    replace_triggered_by = [module["m"]]
  }
}
resource "terraform_data" "r59" {
  lifecycle {
    replace_triggered_by = [check.x]
  }
}
resource "terraform_data" "r60" {
  lifecycle {
    replace_triggered_by = [run.x]
  }
}
resource "terraform_data" "r61" {
  lifecycle {
    replace_triggered_by = [string]
  }
}
resource "terraform_data" "r62" {
  lifecycle {
    replace_triggered_by = [number]
  }
}
resource "terraform_data" "r63" {
  lifecycle {
    replace_triggered_by = [null]
  }
}
resource "terraform_data" "r64" {
  lifecycle {
    replace_triggered_by = [true.x]
  }
}
resource "terraform_data" "r65" {
  lifecycle {
    replace_triggered_by = [path.root.x]
  }
}
resource "terraform_data" "r66" {
  lifecycle {
    replace_triggered_by = [terraform.workspace.x]
  }
}
resource "terraform_data" "r67" {
  lifecycle {
    replace_triggered_by = [count.index[0]]
  }
}
resource "terraform_data" "r68" {
  lifecycle {
    replace_triggered_by = [module.mc.o]
  }
}
resource "terraform_data" "r69" {
  lifecycle {
    replace_triggered_by = [module.mc[0].o]
  }
}
resource "terraform_data" "r70" {
  lifecycle {
    replace_triggered_by = [module.mc[0].nope]
  }
}
resource "terraform_data" "r71" {
  lifecycle {
    replace_triggered_by = [module.mc[*].o]
  }
}
resource "terraform_data" "r72" {
  lifecycle {
    replace_triggered_by = [module.mf.o]
  }
}
resource "terraform_data" "r73" {
  lifecycle {
    replace_triggered_by = [module.mf["a"]]
  }
}
resource "terraform_data" "r74" {
  lifecycle {
    replace_triggered_by = [data.terraform_remote_state.d.nope]
  }
}
resource "terraform_data" "r75" {
  lifecycle {
    replace_triggered_by = [data.terraform_remote_state.d[0]]
  }
}
