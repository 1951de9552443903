output "o" {
  value = local.y
}
resource "terraform_data" "r" {
  input = 3
  count = 2
}
