terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform", version = ">=  1.2"}
  }
  required_version = ">=  1.2"
}
