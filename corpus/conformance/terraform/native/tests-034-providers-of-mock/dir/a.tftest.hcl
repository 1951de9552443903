mock_provider "terraform" {
  alias = "m"
}
run "a" {
  providers = {terraform = terraform.m}
}
