provider "terraform" {
}
provider "terraform" {
  alias = "x"
}
terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
module "m" {
  source = "./a"
  p = {"x" = 1, "y" = 2}
  q = 1
  providers = {terraform = terraform}
}
