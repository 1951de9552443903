variable "a" {
  default = 1
}
variable "a" {
  default = 2
}
output "o" {
  value = 1
}
output "o" {
  value = 2
}
module "m" {
  source = "./m"
}
module "m" {
  source = "./m"
}
locals {
  l = 1
}
locals {
  l = 2
}
provider "terraform" {
}
provider "terraform" {
}
data "terraform_remote_state" "d" {
  backend = "local"
}
data "terraform_remote_state" "d" {
  backend = "local"
}
