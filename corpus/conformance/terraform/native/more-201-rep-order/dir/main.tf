resource "terraform_data" "b" {
}
resource "terraform_data" "B" {
}
resource "terraform_data" "a-b" {
}
resource "terraform_data" "a_b" {
}
resource "terraform_data" "a" {
}
resource "terraform_data" "é" {
}
resource "terraform_data" "z9" {
}
resource "terraform_data" "z10" {
}
output "b" {
  value = 1
}
output "A" {
  value = 1
}
output "a" {
  value = 1
}
output "é" {
  value = 1
}
variable "b" {
  default = 1
}
variable "A" {
  default = 1
}
variable "é" {
  default = 1
}
