terraform {
  required_providers {
    foo = {source = "hashicorp/bar"}
  }
}
resource "foo_thing" "a" {
}
