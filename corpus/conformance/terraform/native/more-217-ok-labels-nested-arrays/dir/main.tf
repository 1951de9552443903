resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
resource "terraform_data" "c" {
}
output "o" {
  value = 1
}
output "p" {
  value = 2
}
