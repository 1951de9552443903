provider "terraform" {
}
provider "terraform" {
}
provider "terraform" {
  alias = "a"
}
provider "terraform" {
  alias = "a"
}
provider "terraform" {
  alias = "b"
  alias = "c"
}
