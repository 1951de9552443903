data "terraform_remote_state" "a" {
  count = 1
  backend = "local"
  config = {"path" = "none.tfstate"}
  defaults = {"x" = 1}
  provider = terraform
  depends_on = [terraform_data.r]
  lifecycle {
    precondition {
      condition = terraform_data.r.id != 1
      error_message = "pre"
    }
    postcondition {
      condition = self.outputs != null
      error_message = "post"
    }
  }
}
data "terraform_remote_state" "b" {
  for_each = {"k" = var.k}
  backend = "local"
  depends_on = [terraform_data.r]
}
resource "terraform_data" "r" {
}
variable "k" {
  default = "k"
}
