provider "terraform" {
  x = 1
}
provider "terraform" {
  alias = "q"
}
provider "other" {
}
