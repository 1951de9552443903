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
    ignore_changes = [var.nope]
  }
}
resource "terraform_data" "r1" {
  lifecycle {
    ignore_changes = [local.nope]
  }
}
resource "terraform_data" "r2" {
  lifecycle {
    ignore_changes = [terraform_data.nope.id]
  }
}
resource "terraform_data" "r3" {
  lifecycle {
    ignore_changes = [data.terraform_remote_state.nope.outputs]
  }
}
resource "terraform_data" "r4" {
  lifecycle {
    ignore_changes = [module.nope.x]
  }
}
resource "terraform_data" "r5" {
  lifecycle {
    ignore_changes = [each.key]
  }
}
resource "terraform_data" "r6" {
  lifecycle {
    ignore_changes = [each.value]
  }
}
resource "terraform_data" "r7" {
  lifecycle {
    ignore_changes = [each.x]
  }
}
resource "terraform_data" "r8" {
  lifecycle {
    ignore_changes = [each]
  }
}
resource "terraform_data" "r9" {
  lifecycle {
    ignore_changes = [count.index]
  }
}
resource "terraform_data" "r10" {
  lifecycle {
    ignore_changes = [count.x]
  }
}
resource "terraform_data" "r11" {
  lifecycle {
    ignore_changes = [count]
  }
}
resource "terraform_data" "r12" {
  lifecycle {
    ignore_changes = [self.id]
  }
}
resource "terraform_data" "r13" {
  lifecycle {
    ignore_changes = [self]
  }
}
resource "terraform_data" "r14" {
  lifecycle {
    ignore_changes = [path.module]
  }
}
resource "terraform_data" "r15" {
  lifecycle {
    ignore_changes = [path.nope]
  }
}
resource "terraform_data" "r16" {
  lifecycle {
    ignore_changes = [path]
  }
}
resource "terraform_data" "r17" {
  lifecycle {
    ignore_changes = [terraform.workspace]
  }
}
resource "terraform_data" "r18" {
  lifecycle {
    ignore_changes = [terraform.nope]
  }
}
resource "terraform_data" "r19" {
  lifecycle {
    ignore_changes = [var]
  }
}
resource "terraform_data" "r20" {
  lifecycle {
    ignore_changes = [local]
  }
}
resource "terraform_data" "r21" {
  lifecycle {
    ignore_changes = [data]
  }
}
resource "terraform_data" "r22" {
  lifecycle {
    ignore_changes = [data.x]
  }
}
resource "terraform_data" "r23" {
  lifecycle {
    ignore_changes = [module]
  }
}
resource "terraform_data" "r24" {
  lifecycle {
    ignore_changes = [module.m]
  }
}
resource "terraform_data" "r25" {
  lifecycle {
    ignore_changes = [module.m.o]
  }
}
resource "terraform_data" "r26" {
  lifecycle {
    ignore_changes = [module.m.nope]
  }
}
resource "terraform_data" "r27" {
  lifecycle {
    ignore_changes = [terraform_data]
  }
}
resource "terraform_data" "r28" {
  lifecycle {
    ignore_changes = [terraform_data.x]
  }
}
resource "terraform_data" "r29" {
  lifecycle {
    ignore_changes = [terraform_data.x.nope]
  }
}
resource "terraform_data" "r30" {
  lifecycle {
    ignore_changes = [terraform_data.x[0].id]
  }
}
resource "terraform_data" "r31" {
  lifecycle {
    ignore_changes = [terraform_data.c.id]
  }
}
resource "terraform_data" "r32" {
  lifecycle {
    ignore_changes = [terraform_data.c[0].id]
  }
}
resource "terraform_data" "r33" {
  lifecycle {
    ignore_changes = [terraform_data.f.id]
  }
}
resource "terraform_data" "r34" {
  lifecycle {
    ignore_changes = [terraform_data.f["a"].id]
  }
}
resource "terraform_data" "r35" {
  lifecycle {
    ignore_changes = [resource.terraform_data.nope]
  }
}
resource "terraform_data" "r36" {
  lifecycle {
    ignore_changes = [resource.x]
  }
}
resource "terraform_data" "r37" {
  lifecycle {
    ignore_changes = [ephemeral.a.b]
  }
}
resource "terraform_data" "r38" {
  lifecycle {
    ignore_changes = [action.a.b]
  }
}
resource "terraform_data" "r39" {
  lifecycle {
    ignore_changes = [output.x]
  }
}
resource "terraform_data" "r40" {
  lifecycle {
    ignore_changes = [var.l[0]]
  }
}
resource "terraform_data" "r41" {
  lifecycle {
    ignore_changes = [var["l"]]
  }
}
resource "terraform_data" "r42" {
  lifecycle {
    ignore_changes = [local[0]]
  }
}
resource "terraform_data" "r43" {
  lifecycle {
    ignore_changes = [template.x]
  }
}
resource "terraform_data" "r44" {
  lifecycle {
    ignore_changes = [lazy.x]
  }
}
resource "terraform_data" "r45" {
  lifecycle {
    ignore_changes = [arg.x]
  }
}
resource "terraform_data" "r46" {
  lifecycle {
    ignore_changes = [tofu.workspace]
  }
}
resource "terraform_data" "r47" {
  lifecycle {
    ignore_changes = [null_resource.a.id]
  }
}
resource "terraform_data" "r48" {
  lifecycle {
    ignore_changes = [var.o.x.y]
  }
}
resource "terraform_data" "r49" {
  lifecycle {
    ignore_changes = [missing]
  }
}
resource "terraform_data" "r50" {
  lifecycle {
    ignore_changes = [each.key.x]
  }
}
resource "terraform_data" "r51" {
  lifecycle {
    ignore_changes = [terraform_data.x["id"]]
  }
}
resource "terraform_data" "r52" {
  lifecycle {
    ignore_changes = [terraform_data["x"]]
  }
}
resource "terraform_data" "r53" {
  lifecycle {
    ignore_changes = [data.terraform_remote_state["d"]]
  }
}
resource "terraform_data" "r54" {
  lifecycle {
    ignore_changes = [module["m"]]
  }
}
resource "terraform_data" "r55" {
  lifecycle {
    ignore_changes = [check.x]
  }
}
resource "terraform_data" "r56" {
  lifecycle {
    ignore_changes = [run.x]
  }
}
resource "terraform_data" "r57" {
  lifecycle {
    ignore_changes = [string]
  }
}
resource "terraform_data" "r58" {
  lifecycle {
    ignore_changes = [number]
  }
}
resource "terraform_data" "r59" {
  lifecycle {
    ignore_changes = [null]
  }
}
resource "terraform_data" "r60" {
  lifecycle {
    ignore_changes = [true.x]
  }
}
resource "terraform_data" "r61" {
  lifecycle {
    ignore_changes = [path.root.x]
  }
}
resource "terraform_data" "r62" {
  lifecycle {
    ignore_changes = [terraform.workspace.x]
  }
}
resource "terraform_data" "r63" {
  lifecycle {
    ignore_changes = [count.index[0]]
  }
}
resource "terraform_data" "r64" {
  lifecycle {
    ignore_changes = [module.mc.o]
  }
}
resource "terraform_data" "r65" {
  lifecycle {
    ignore_changes = [module.mc[0].o]
  }
}
resource "terraform_data" "r66" {
  lifecycle {
    ignore_changes = [module.mc[0].nope]
  }
}
resource "terraform_data" "r67" {
  lifecycle {
    ignore_changes = [module.mf.o]
  }
}
resource "terraform_data" "r68" {
  lifecycle {
    ignore_changes = [module.mf["a"]]
  }
}
resource "terraform_data" "r69" {
  lifecycle {
    ignore_changes = [data.terraform_remote_state.d.nope]
  }
}
resource "terraform_data" "r70" {
  lifecycle {
    ignore_changes = [data.terraform_remote_state.d[0]]
  }
}
