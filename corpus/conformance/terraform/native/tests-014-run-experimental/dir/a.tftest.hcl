run "a" {
  skip_cleanup = true
}
run "b" {
  backend = {"local" = {}}
}
