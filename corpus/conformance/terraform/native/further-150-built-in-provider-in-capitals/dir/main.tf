terraform {
  required_providers {
    terraform = {source = "terraform.io/BuiltIn/terraform", version = "1.0.0"}
  }
}
