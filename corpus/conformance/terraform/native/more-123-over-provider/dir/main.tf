provider "terraform" {
  alias = "a"
}
provider "terraform" {
}
