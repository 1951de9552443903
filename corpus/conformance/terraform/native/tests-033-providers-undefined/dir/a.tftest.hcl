run "a" {
  providers = {terraform = terraform}
}
