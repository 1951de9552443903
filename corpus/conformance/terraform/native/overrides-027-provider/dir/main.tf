provider "terraform" {
  alias = "x"
}
resource "terraform_data" "r" {
}
