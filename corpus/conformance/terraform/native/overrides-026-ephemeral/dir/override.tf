ephemeral "example_secret" "a" {
  n = 2
}
ephemeral "example_secret" "b" {
}
