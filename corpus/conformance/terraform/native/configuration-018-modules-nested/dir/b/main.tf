variable "in" {
  type = list(string)
}
resource "terraform_data" "x" {
  input = var.in
}
output "out" {
  value = terraform_data.x.output
}
