resource "terraform_data" "b" {
}
resource "terraform_data" "a" {
}
resource "terraform_data" "c" {
}
resource "terraform_data" "d" {
}
variable "v" {
}
variable "u" {
}
output "o" {
  value = 1
}
data "terraform_remote_state" "s" {
  backend = "local"
  depends_on = [terraform_data.a]
}
