variable "v" {
  default = {"//" = "kept", "k" = 1}
}
output "o" {
  value = {"//" = "kept", "inner" = [{"//" = var.v}]}
}
module "m" {
  source = "./m"
  a = {"//" = "kept"}
}
resource "terraform_data" "r" {
  input = {"//" = "kept"}
}
