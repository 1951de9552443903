terraform {
  required_version = ">= 0.12"
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
  backend "local" {
    path = "a"
  }
}
