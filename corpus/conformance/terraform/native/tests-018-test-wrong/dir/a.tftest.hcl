test {
  parallel = "yes"
  x = 1
}
