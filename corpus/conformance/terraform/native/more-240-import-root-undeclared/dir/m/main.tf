resource "terraform_data" "r" {
  count = 2
}
resource "terraform_data" "s" {
}
