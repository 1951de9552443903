provider "terraform" {
  version = "1"
}
provider "terraform" {
  alias = "a"
  count = 1
}
provider "terraform" {
  alias = "1x"
}
provider "terraform" {
  alias = 5
}
provider "A" {
}
provider "a_b" {
}
