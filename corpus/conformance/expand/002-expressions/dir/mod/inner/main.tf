variable "x" {}
resource "terraform_data" "d" {
  input = var.x
  triggers_replace = { p = path.module }
}
output "y" { value = "${var.x}!" }
output "z" { value = terraform_data.d.id }
