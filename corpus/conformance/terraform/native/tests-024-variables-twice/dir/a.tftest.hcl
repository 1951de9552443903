variables {
  v = 1
}
variables {
  v = 2
}
run "r" {
  variables {
    v = 1
  }
  variables {
  }
}
