terraform {
  required_providers {
    tf = {source = "terraform.io/builtin/terraform"}
  }
}
provider "tf" {
  alias = "x"
}
resource "terraform_data" "a" {
  provider = tf
}
resource "terraform_data" "b" {
  provider = tf.x
}
resource "terraform_data" "c" {
}
