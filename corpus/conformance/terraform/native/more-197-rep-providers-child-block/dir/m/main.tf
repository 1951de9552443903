provider "terraform" {
}
provider "terraform" {
  alias = "q"
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  provider = terraform.q
}
