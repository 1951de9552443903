variable "x" {
  default = 1
}
resource "terraform_data" "d" {
}
output "y" {
  value = var.x
}
