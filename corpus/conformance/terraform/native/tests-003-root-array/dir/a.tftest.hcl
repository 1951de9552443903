run "a" {
}
run "b" {
}
