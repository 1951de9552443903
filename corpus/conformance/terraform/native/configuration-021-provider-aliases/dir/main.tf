provider "terraform" {
  alias = "a"
}
provider "terraform" {
  alias = "b"
}
resource "terraform_data" "x" {
  provider = terraform.a
}
resource "terraform_data" "y" {
  provider = terraform.b
}
resource "terraform_data" "z" {
}
data "terraform_remote_state" "s" {
  provider = terraform.a
  backend = "local"
  depends_on = [terraform_data.x]
}
