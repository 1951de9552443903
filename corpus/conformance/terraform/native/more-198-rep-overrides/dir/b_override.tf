resource "terraform_data" "a" {
  triggers_replace = 1
}
module "m" {
  v = var.s
}
