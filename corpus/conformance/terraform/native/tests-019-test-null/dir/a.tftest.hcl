run "a" {
}
