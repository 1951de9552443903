terraform {
  required_providers {
    a = {source = 5}
    c = "x"
    terraform = {source = "terraform.io/builtin/terraform", configuration_aliases = [terraform.q]}
  }
}
