terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform", version = "v1.0"}
  }
  required_version = "v1.0"
}
