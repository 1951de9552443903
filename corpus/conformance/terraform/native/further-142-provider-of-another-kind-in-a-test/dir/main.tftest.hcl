provider "foo" {
}
provider "bar" {
}
run "first" {
}
run "wrong" {
  providers = {foo = bar}
}
