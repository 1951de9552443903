resource "terraform_data" "a" {
  count = null
  for_each = null
}
resource "terraform_data" "b" {
  for_each = 1
  count = 1
}
resource "terraform_data" "c" {
  count = 1
  for_each = 1
}
