provider "terraform" {
  alias = "x"
}
run "a" {
  providers = {terraform = terraform.x, terraform.b = terraform.x}
}
run "b" {
  providers = {terraform.x = terraform.x.y}
}
run "c" {
  providers = {terraform = terraform}
}
run "d" {
  providers = {terraform = "terraform", terraform = terraform.x}
}
