terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform", version = "99999999999999999999"}
  }
  required_version = "99999999999999999999"
}
