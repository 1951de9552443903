run "r" {
  module {
    source = "git::https://example.com/x.git"
  }
}
