run "a b" {
}
run "1" {
}
run "" {
}
run "-x" {
}
run "é" {
}
