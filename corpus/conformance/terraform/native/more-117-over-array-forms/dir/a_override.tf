variable "a" {
  default = 1
}
variable "a" {
  default = 2
}
resource "terraform_data" "r" {
  input = 2
}
resource "terraform_data" "r" {
  triggers_replace = 3
}
