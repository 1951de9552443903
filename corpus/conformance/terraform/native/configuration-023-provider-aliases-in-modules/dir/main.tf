terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
provider "terraform" {
}
provider "terraform" {
  alias = "one"
}
module "m" {
  source = "./m"
  providers = {tf = terraform, tf.two = terraform.one}
}
