provider "foo" {
}
provider "bar" {
}
run "first" {
  providers = {foo = bar}
}
