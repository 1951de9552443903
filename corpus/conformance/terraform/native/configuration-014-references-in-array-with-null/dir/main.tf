variable "c" {
  default = 1
}
resource "terraform_data" "b" {
  input = {"d" = 1}
}
resource "terraform_data" "n" {
  count = var.c
  input = [terraform_data.b.output.d, null]
}
