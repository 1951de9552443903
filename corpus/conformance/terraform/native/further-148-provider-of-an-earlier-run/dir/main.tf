terraform {
  required_providers {
    foo = {source = "hashicorp/foo"}
    bar = {source = "hashicorp/bar"}
  }
}
resource "foo_thing" "a" {
}
resource "bar_thing" "a" {
}
