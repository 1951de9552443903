terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform", version = "~> 1.2.3.4"}
  }
  required_version = "~> 1.2.3.4"
}
