run "a" {
  command = x
}
