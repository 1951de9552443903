run "a" {
  backend = {"local" = {}, "local" = {}}
}
