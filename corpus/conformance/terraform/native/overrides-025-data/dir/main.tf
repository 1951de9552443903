data "terraform_remote_state" "s" {
  backend = "local"
  config = {"path" = "a", "x" = 1}
  depends_on = [terraform_data.r]
}
resource "terraform_data" "r" {
}
