run "a" {
  state_key = 5
  parallel = "yes"
}
run "b" {
  state_key = null
  parallel = null
}
run "c" {
  state_key = ["x"]
  parallel = 1
}
run "d" {
  state_key = x
  parallel = "true"
}
run "e" {
  state_key = true
  parallel = []
}
