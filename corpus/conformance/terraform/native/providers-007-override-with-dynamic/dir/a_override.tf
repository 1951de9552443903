resource "test_thing" "r" {
  dynamic "rule" {
    for_each = ["a"]
    content {
      port = 2
    }
  }
}
