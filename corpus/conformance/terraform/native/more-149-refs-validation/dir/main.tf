variable "r0" {
  validation {
    condition = var.r0 == var.nope
    error_message = "M ${var.nope}"
  }
}
variable "r1" {
  validation {
    condition = var.r1 == local.nope
    error_message = "M ${local.nope}"
  }
}
variable "r2" {
  validation {
    condition = var.r2 == terraform_data.nope.id
    error_message = "M ${terraform_data.nope.id}"
  }
}
variable "r3" {
  validation {
    condition = var.r3 == data.terraform_remote_state.nope.outputs
    error_message = "M ${data.terraform_remote_state.nope.outputs}"
  }
}
variable "r4" {
  validation {
    condition = var.r4 == module.nope.x
    error_message = "M ${module.nope.x}"
  }
}
variable "r5" {
  validation {
    condition = var.r5 == each.key
    error_message = "M ${each.key}"
  }
}
variable "r6" {
  validation {
    condition = var.r6 == each.value
    error_message = "M ${each.value}"
  }
}
variable "r7" {
  validation {
    condition = var.r7 == each.x
    error_message = "M ${each.x}"
  }
}
variable "r8" {
  validation {
    condition = var.r8 == each
    error_message = "M ${each}"
  }
}
variable "r9" {
  validation {
    condition = var.r9 == count.index
    error_message = "M ${count.index}"
  }
}
variable "r10" {
  validation {
    condition = var.r10 == count.x
    error_message = "M ${count.x}"
  }
}
variable "r11" {
  validation {
    condition = var.r11 == count
    error_message = "M ${count}"
  }
}
variable "r12" {
  validation {
    condition = var.r12 == self.id
    error_message = "M ${self.id}"
  }
}
variable "r13" {
  validation {
    condition = var.r13 == self
    error_message = "M ${self}"
  }
}
variable "r14" {
  validation {
    condition = var.r14 == path.module
    error_message = "M ${path.module}"
  }
}
variable "r15" {
  validation {
    condition = var.r15 == path.nope
    error_message = "M ${path.nope}"
  }
}
variable "r16" {
  validation {
    condition = var.r16 == path
    error_message = "M ${path}"
  }
}
variable "r17" {
  validation {
    condition = var.r17 == terraform.workspace
    error_message = "M ${terraform.workspace}"
  }
}
variable "r18" {
  validation {
    condition = var.r18 == terraform.nope
    error_message = "M ${terraform.nope}"
  }
}
variable "r19" {
  validation {
    condition = var.r19 == var
    error_message = "M ${var}"
  }
}
variable "r20" {
  validation {
    condition = var.r20 == local
    error_message = "M ${local}"
  }
}
variable "r21" {
  validation {
    condition = var.r21 == data
    error_message = "M ${data}"
  }
}
variable "r22" {
  validation {
    condition = var.r22 == data.x
    error_message = "M ${data.x}"
  }
}
variable "r23" {
  validation {
    condition = var.r23 == module
    error_message = "M ${module}"
  }
}
variable "r24" {
  validation {
    condition = var.r24 == module.m
    error_message = "M ${module.m}"
  }
}
variable "r25" {
  validation {
    condition = var.r25 == module.m.o
    error_message = "M ${module.m.o}"
  }
}
variable "r26" {
  validation {
    condition = var.r26 == module.m.nope
    error_message = "M ${module.m.nope}"
  }
}
variable "r27" {
  validation {
    condition = var.r27 == terraform_data
    error_message = "M ${terraform_data}"
  }
}
variable "r28" {
  validation {
    condition = var.r28 == terraform_data.x
    error_message = "M ${terraform_data.x}"
  }
}
variable "r29" {
  validation {
    condition = var.r29 == terraform_data.x.nope
    error_message = "M ${terraform_data.x.nope}"
  }
}
variable "r30" {
  validation {
    condition = var.r30 == terraform_data.x[0].id
    error_message = "M ${terraform_data.x[0].id}"
  }
}
variable "r31" {
  validation {
    condition = var.r31 == terraform_data.c.id
    error_message = "M ${terraform_data.c.id}"
  }
}
variable "r32" {
  validation {
    condition = var.r32 == terraform_data.c[0].id
    error_message = "M ${terraform_data.c[0].id}"
  }
}
variable "r33" {
  validation {
    condition = var.r33 == terraform_data.f.id
    error_message = "M ${terraform_data.f.id}"
  }
}
variable "r34" {
  validation {
    condition = var.r34 == terraform_data.f["a"].id
    error_message = "M ${terraform_data.f["a"].id}"
  }
}
variable "r35" {
  validation {
    condition = var.r35 == terraform_data.c[*].id
    error_message = "M ${terraform_data.c[*].id}"
  }
}
variable "r36" {
  validation {
    condition = var.r36 == resource.terraform_data.nope
    error_message = "M ${resource.terraform_data.nope}"
  }
}
variable "r37" {
  validation {
    condition = var.r37 == resource.x
    error_message = "M ${resource.x}"
  }
}
variable "r38" {
  validation {
    condition = var.r38 == ephemeral.a.b
    error_message = "M ${ephemeral.a.b}"
  }
}
variable "r39" {
  validation {
    condition = var.r39 == action.a.b
    error_message = "M ${action.a.b}"
  }
}
variable "r40" {
  validation {
    condition = var.r40 == output.x
    error_message = "M ${output.x}"
  }
}
variable "r41" {
  validation {
    condition = var.r41 == var.l[0]
    error_message = "M ${var.l[0]}"
  }
}
variable "r42" {
  validation {
    condition = var.r42 == var["l"]
    error_message = "M ${var["l"]}"
  }
}
variable "r43" {
  validation {
    condition = var.r43 == local[0]
    error_message = "M ${local[0]}"
  }
}
variable "r44" {
  validation {
    condition = var.r44 == template.x
    error_message = "M ${template.x}"
  }
}
variable "r45" {
  validation {
    condition = var.r45 == lazy.x
    error_message = "M ${lazy.x}"
  }
}
variable "r46" {
  validation {
    condition = var.r46 == arg.x
    error_message = "M ${arg.x}"
  }
}
variable "r47" {
  validation {
    condition = var.r47 == tofu.workspace
    error_message = "M ${tofu.workspace}"
  }
}
variable "r48" {
  validation {
    condition = var.r48 == null_resource.a.id
    error_message = "M ${null_resource.a.id}"
  }
}
variable "r49" {
  validation {
    condition = var.r49 == provider::a::b(1)
    error_message = "M ${provider::a::b(1)}"
  }
}
variable "r50" {
  validation {
    condition = var.r50 == nofunc(1)
    error_message = "M ${nofunc(1)}"
  }
}
variable "r51" {
  validation {
    condition = var.r51 == upper()
    error_message = "M ${upper()}"
  }
}
variable "r52" {
  validation {
    condition = var.r52 == var.o.x.y
    error_message = "M ${var.o.x.y}"
  }
}
variable "r53" {
  validation {
    condition = var.r53 == missing
    error_message = "M ${missing}"
  }
}
variable "r54" {
  validation {
    condition = var.r54 == each.key.x
    error_message = "M ${each.key.x}"
  }
}
variable "r55" {
  validation {
    condition = var.r55 == terraform_data.x["id"]
    error_message = "M ${terraform_data.x["id"]}"
  }
}
variable "r56" {
  validation {
    condition = var.r56 == terraform_data["x"]
    error_message = "M ${terraform_data["x"]}"
  }
}
variable "r57" {
  validation {
    condition = var.r57 == data.terraform_remote_state["d"]
    error_message = "M ${data.terraform_remote_state["d"]}"
  }
}
variable "r58" {
  validation {
    condition = var.r58 == module["m"]
    error_message = "M ${module["m"]}"
  }
}
variable "r59" {
  validation {
    condition = var.r59 == check.x
    error_message = "M ${check.x}"
  }
}
variable "r60" {
  validation {
    condition = var.r60 == run.x
    error_message = "M ${run.x}"
  }
}
variable "r61" {
  validation {
    condition = var.r61 == string
    error_message = "M ${string}"
  }
}
variable "r62" {
  validation {
    condition = var.r62 == number
    error_message = "M ${number}"
  }
}
variable "r63" {
  validation {
    condition = var.r63 == null
    error_message = "M ${null}"
  }
}
variable "r64" {
  validation {
    condition = var.r64 == true.x
    error_message = "M ${true.x}"
  }
}
variable "r65" {
  validation {
    condition = var.r65 == path.root.x
    error_message = "M ${path.root.x}"
  }
}
variable "r66" {
  validation {
    condition = var.r66 == terraform.workspace.x
    error_message = "M ${terraform.workspace.x}"
  }
}
variable "r67" {
  validation {
    condition = var.r67 == count.index[0]
    error_message = "M ${count.index[0]}"
  }
}
variable "r68" {
  validation {
    condition = var.r68 == module.mc.o
    error_message = "M ${module.mc.o}"
  }
}
variable "r69" {
  validation {
    condition = var.r69 == module.mc[0].o
    error_message = "M ${module.mc[0].o}"
  }
}
variable "r70" {
  validation {
    condition = var.r70 == module.mc[0].nope
    error_message = "M ${module.mc[0].nope}"
  }
}
variable "r71" {
  validation {
    condition = var.r71 == module.mc[*].o
    error_message = "M ${module.mc[*].o}"
  }
}
variable "r72" {
  validation {
    condition = var.r72 == module.mf.o
    error_message = "M ${module.mf.o}"
  }
}
variable "r73" {
  validation {
    condition = var.r73 == module.mf["a"]
    error_message = "M ${module.mf["a"]}"
  }
}
variable "r74" {
  validation {
    condition = var.r74 == data.terraform_remote_state.d.nope
    error_message = "M ${data.terraform_remote_state.d.nope}"
  }
}
variable "r75" {
  validation {
    condition = var.r75 == data.terraform_remote_state.d[0]
    error_message = "M ${data.terraform_remote_state.d[0]}"
  }
}
