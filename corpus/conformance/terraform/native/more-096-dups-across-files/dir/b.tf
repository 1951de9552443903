variable "a" {
}
output "o" {
  value = 1
}
locals {
  l = 1
}
resource "terraform_data" "r" {
}
data "terraform_remote_state" "d" {
  backend = "local"
}
provider "terraform" {
}
check "c" {
  assert {
    condition = var.a == 1
    error_message = "M."
  }
}
module "m" {
  source = "./m"
}
