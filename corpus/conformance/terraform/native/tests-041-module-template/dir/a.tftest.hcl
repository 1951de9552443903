run "r" {
  module {
    source = "${path.module}/child"
  }
}
