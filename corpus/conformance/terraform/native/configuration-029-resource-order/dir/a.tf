resource "terraform_data" "z" {
}
resource "terraform_data" "b" {
}
data "terraform_remote_state" "a" {
  backend = "local"
  depends_on = [terraform_data.z]
}
