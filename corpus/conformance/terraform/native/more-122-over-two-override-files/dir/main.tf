output "o" {
  value = 1
}
resource "terraform_data" "r" {
  input = 1
  triggers_replace = 1
}
