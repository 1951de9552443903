provider "terraform" {
  alias = "a"
  version = "1"
}
provider "terraform" {
  alias = "b"
}
provider "terraform" {
  version = 5
}
provider "terraform" {
  alias = "a"
  x = 1
}
