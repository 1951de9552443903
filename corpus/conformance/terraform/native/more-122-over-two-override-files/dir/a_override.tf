output "o" {
  value = 2
  description = "A"
}
resource "terraform_data" "r" {
  input = local.x
}
