variables {
  v = 1
  v = 2
}
