terraform {
  required_providers {
    a = {source = "a/b", version = "1"}
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
