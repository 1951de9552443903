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
removed {
  from = var.nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = local.nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.nope.id
  lifecycle {
    destroy = true
  }
}
removed {
  from = data.terraform_remote_state.nope.outputs
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.nope.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = each.key
  lifecycle {
    destroy = true
  }
}
removed {
  from = each.value
  lifecycle {
    destroy = true
  }
}
removed {
  from = each.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = each
  lifecycle {
    destroy = true
  }
}
removed {
  from = count.index
  lifecycle {
    destroy = true
  }
}
removed {
  from = count.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = count
  lifecycle {
    destroy = true
  }
}
removed {
  from = self.id
  lifecycle {
    destroy = true
  }
}
removed {
  from = self
  lifecycle {
    destroy = true
  }
}
removed {
  from = path.module
  lifecycle {
    destroy = true
  }
}
removed {
  from = path.nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = path
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform.workspace
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform.nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = var
  lifecycle {
    destroy = true
  }
}
removed {
  from = local
  lifecycle {
    destroy = true
  }
}
removed {
  from = data
  lifecycle {
    destroy = true
  }
}
removed {
  from = data.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = module
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.m
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.m.o
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.m.nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.x.nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.x[0].id
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.c.id
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.c[0].id
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.f.id
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.f["a"].id
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.c[*].id
  lifecycle {
    destroy = true
  }
}
removed {
  from = resource.terraform_data.nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = resource.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = ephemeral.a.b
  lifecycle {
    destroy = true
  }
}
removed {
  from = action.a.b
  lifecycle {
    destroy = true
  }
}
removed {
  from = output.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = var.l[0]
  lifecycle {
    destroy = true
  }
}
removed {
  from = var["l"]
  lifecycle {
    destroy = true
  }
}
removed {
  from = local[0]
  lifecycle {
    destroy = true
  }
}
removed {
  from = template.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = lazy.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = arg.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = tofu.workspace
  lifecycle {
    destroy = true
  }
}
removed {
  from = null_resource.a.id
  lifecycle {
    destroy = true
  }
}
removed {
  from = provider::a::b(1)
  lifecycle {
    destroy = true
  }
}
removed {
  from = nofunc(1)
  lifecycle {
    destroy = true
  }
}
removed {
  from = upper()
  lifecycle {
    destroy = true
  }
}
removed {
  from = var.o.x.y
  lifecycle {
    destroy = true
  }
}
removed {
  from = missing
  lifecycle {
    destroy = true
  }
}
removed {
  from = each.key.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data.x["id"]
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform_data["x"]
  lifecycle {
    destroy = true
  }
}
removed {
  from = data.terraform_remote_state["d"]
  lifecycle {
    destroy = true
  }
}
removed {
  from = module["m"]
  lifecycle {
    destroy = true
  }
}
removed {
  from = check.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = run.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = string
  lifecycle {
    destroy = true
  }
}
removed {
  from = number
  lifecycle {
    destroy = true
  }
}
removed {
  from = null
  lifecycle {
    destroy = true
  }
}
removed {
  from = true.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = path.root.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = terraform.workspace.x
  lifecycle {
    destroy = true
  }
}
removed {
  from = count.index[0]
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.mc.o
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.mc[0].o
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.mc[0].nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.mc[*].o
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.mf.o
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.mf["a"]
  lifecycle {
    destroy = true
  }
}
removed {
  from = data.terraform_remote_state.d.nope
  lifecycle {
    destroy = true
  }
}
removed {
  from = data.terraform_remote_state.d[0]
  lifecycle {
    destroy = true
  }
}
