resource "terraform_data" "r" {
  for_each = {"a" = 1, "a" = 2}
}
resource "terraform_data" "s" {
  for_each = {"a" = var.v, "a" = 1}
}
variable "v" {
  default = 1
}
