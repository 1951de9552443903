provider "terraform" {
}
provider "terraform" {
  alias = "x"
}
provider "terraform" {
  alias = "y"
}
