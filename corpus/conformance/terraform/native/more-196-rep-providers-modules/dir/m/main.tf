terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform", configuration_aliases = [terraform.in]}
  }
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  provider = terraform.in
}
module "k" {
  source = "../n"
  providers = {terraform = terraform.in}
}
