variable "v" { type = string }
variable "w" {}
resource "terraform_data" "in" {
  input = "${var.v}-${path.module}-${path.root}-${terraform.workspace}"
  triggers_replace = var.w
}
output "out" { value = { a = terraform_data.in.input, b = var.w, c = terraform_data.in.output } }
output "plain" { value = var.v }
