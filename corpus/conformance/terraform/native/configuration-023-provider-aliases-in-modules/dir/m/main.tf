terraform {
  required_providers {
    tf = {source = "terraform.io/builtin/terraform", configuration_aliases = [tf.two]}
  }
}
resource "terraform_data" "a" {
  provider = tf
}
resource "terraform_data" "b" {
  provider = tf.two
}
