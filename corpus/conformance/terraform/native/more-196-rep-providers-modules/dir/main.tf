terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
provider "terraform" {
}
provider "terraform" {
  alias = "x"
}
module "m" {
  source = "./m"
  providers = {terraform = terraform.x, terraform.in = terraform}
}
module "n" {
  source = "./n"
}
