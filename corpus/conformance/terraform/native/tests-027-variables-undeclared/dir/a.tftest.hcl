variables {
  zz = 1
}
run "r" {
  command = plan
  variables {
    yy = 1
  }
}
