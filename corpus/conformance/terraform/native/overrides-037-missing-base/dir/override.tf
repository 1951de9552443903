variable "v" {
}
locals {
  l = 1
}
output "o" {
  value = 1
}
module "m" {
  source = "./m"
}
resource "terraform_data" "r" {
}
data "terraform_remote_state" "d" {
}
provider "terraform" {
  alias = "x"
}
provider "terraform" {
}
