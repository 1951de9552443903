run "r" {
  comand = "plan"
  assertion = {}
}
