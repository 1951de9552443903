resource "terraform_data" "a" {
  count = var.n
  depends_on = [terraform_data.b, data.terraform_remote_state.d, module.m]
}
resource "terraform_data" "b" {
  for_each = {"a" = 1}
  input = each.key
  provider = terraform
}
resource "terraform_data" "c" {
  for_each = toset(["x"])
  lifecycle {
    ignore_changes = [input]
    create_before_destroy = "true"
    prevent_destroy = "false"
    replace_triggered_by = [terraform_data.b[each.key], terraform_data.a[0].id]
  }
}
resource "terraform_data" "d" {
  lifecycle {
    ignore_changes = all
  }
}
data "terraform_remote_state" "d" {
  backend = "local"
}
variable "n" {
  type = number
}
module "m" {
  source = "./m"
}
