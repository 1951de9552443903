data "terraform_remote_state" "d" {
  backend = "local"
}
module "m" {
  source = "./m"
}
output "o" {
  value = 1
}
locals {
  l = 1
}
action = {"a" = {"b" = {}}}
