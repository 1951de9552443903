terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
    tf = {source = "terraform.io/builtin/terraform"}
  }
}
provider "terraform" {
}
provider "terraform" {
  alias = "x"
}
provider "tf" {
  alias = "y"
}
resource "terraform_data" "a" {
  provider = terraform.x
}
resource "terraform_data" "b" {
  provider = tf.y
}
resource "terraform_data" "c" {
}
resource "terraform_data" "d" {
  provider = terraform
}
resource "terraform_data" "e" {
  provider = tf
}
