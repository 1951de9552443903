ephemeral "example_secret" "a" {
  n = 1
}
