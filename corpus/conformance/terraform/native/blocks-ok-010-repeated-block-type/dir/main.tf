variable "a" {
}
locals {
  x = 1
}
variable "b" {
}
locals {
  y = 2
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
resource "terraform_data" "c" {
}
