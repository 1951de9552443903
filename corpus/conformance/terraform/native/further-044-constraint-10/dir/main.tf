terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform", version = "~>"}
  }
  required_version = "~>"
}
