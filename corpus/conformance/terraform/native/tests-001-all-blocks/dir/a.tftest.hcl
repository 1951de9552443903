test {
  parallel = true
}
variables {
  v = 2
  w = 1 + 1
}
variable = {"q" = {"type" = "string", "default" = "x"}}
provider "terraform" {
}
provider "terraform" {
  alias = "east"
}
mock_provider "aws" {
  alias = "fake"
  override_during = plan
  mock_resource "aws_instance" {
    defaults = {"arn" = "x"}
  }
  mock_data "aws_ami" {
    defaults = {}
    override_during = apply
  }
}
override_resource {
  target = terraform_data.a
  values = {"id" = "x"}
  override_during = plan
}
override_data {
  target = data.terraform_remote_state.s
  values = {}
}
override_module {
  target = module.c
  outputs = {"y" = 1}
}
run "first" {
  command = plan
  plan_options {
    mode = refresh-only
    refresh = true
    replace = [terraform_data.a]
    target = [terraform_data.a, module.c]
  }
  variables {
    v = var.w
  }
  assert {
    condition = output.o == 2
    error_message = "M."
  }
  expect_failures = [var.v, output.o, check.k, terraform_data.a, data.terraform_remote_state.s]
  providers = {terraform = terraform.east}
  parallel = "false"
  state_key = "main"
}
run "second" {
  command = apply
  override_resource {
    target = terraform_data.b
  }
  override_module {
    target = module.c
  }
}
