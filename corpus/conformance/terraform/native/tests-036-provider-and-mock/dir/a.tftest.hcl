provider "terraform" {
}
provider "terraform" {
}
mock_provider "terraform" {
}
mock_provider "terraform" {
  alias = "x"
}
mock_provider "terraform" {
  alias = "x"
}
