terraform {
  required_providers {
    test = {source = "hashicorp/test", configuration_aliases = [test.a, test.b, test.c]}
  }
}
provider "test" {
  x = 1
}
resource "test_thing" "r" {
  provider = test.a
}
resource "test_thing" "s" {
  provider = test
}
module "m" {
  source = "./m"
  providers = {test.i = test.b}
}
