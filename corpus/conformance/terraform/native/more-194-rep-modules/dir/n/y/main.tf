variable "z" {
}
resource "terraform_data" "t" {
  input = var.z
  count = 2
}
output "r" {
  value = terraform_data.t[0].id
}
