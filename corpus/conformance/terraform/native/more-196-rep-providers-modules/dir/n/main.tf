terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
resource "terraform_data" "a" {
}
