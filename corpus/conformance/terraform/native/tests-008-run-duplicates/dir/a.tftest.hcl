run "a" {
}
run "a" {
}
run "b" {
}
run "b" {
}
