variable "v" {}
output "p" { value = [path.module, length(var.v)] }
resource "terraform_data" "e" { input = var.v }
