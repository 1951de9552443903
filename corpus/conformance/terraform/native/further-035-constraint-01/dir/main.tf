terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform", version = "> 1.0.0-beta"}
  }
  required_version = "> 1.0.0-beta"
}
