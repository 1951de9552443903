resource "terraform_data" "a" {
  input = var.n
  count = 1
}
resource "terraform_data" "b" {
  triggers_replace = local.k
  for_each = {"x" = 1}
  provisioner "local-exec" {
    command = "y"
  }
}
output "o" {
  value = 5
  description = "D"
}
module "m" {
  w = 2
  count = 1
}
variable "s" {
  default = "y"
  type = string
}
