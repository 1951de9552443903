test {
  skip_cleanup = true
}
