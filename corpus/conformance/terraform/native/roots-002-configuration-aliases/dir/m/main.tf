terraform {
  required_providers {
    test = {source = "hashicorp/test", configuration_aliases = [test.i]}
  }
}
resource "test_thing" "r" {
  provider = test.i
}
