test {
}
test {
  parallel = true
}
