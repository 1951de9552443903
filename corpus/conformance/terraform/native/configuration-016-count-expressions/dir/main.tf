variable "n" {
  default = 1
}
resource "terraform_data" "a" {
  count = 0
}
resource "terraform_data" "b" {
  count = "2"
}
resource "terraform_data" "c" {
  count = var.n
}
resource "terraform_data" "d" {
  count = var.n > 0 ? 1 : 0
}
resource "terraform_data" "e" {
  count = length([1, 2])
}
resource "terraform_data" "f" {
  count = "1${var.n}"
}
