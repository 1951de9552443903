module "m" {
  for_each = {"k" = 1}
}
resource "terraform_data" "r" {
  for_each = {"k" = 1}
}
