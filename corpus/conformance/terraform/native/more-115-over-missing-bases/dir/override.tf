variable "a" {
}
output "a" {
}
locals {
  a = 1
}
module "a" {
}
resource "terraform_data" "a" {
}
data "terraform_remote_state" "a" {
}
ephemeral "t" "a" {
}
provider "terraform" {
}
provider "terraform" {
  alias = "x"
}
check "a" {
}
moved {
}
removed {
}
import {
}
terraform {
  backend "local" {
  }
  required_providers {
    x = {source = "a/b"}
  }
}
action = {"t" = {"a" = {}}}
