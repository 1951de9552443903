variable "v" {
  type = number
  default = 1
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
data "terraform_remote_state" "s" {
  backend = "local"
}
output "o" {
  value = var.v
}
check "k" {
  assert {
    condition = var.v > 0
    error_message = "No."
  }
}
module "c" {
  source = "./child"
}
