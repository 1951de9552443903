run "a" {
}
provider "terraform" {
}
