resource "test_thing" "r" {
  rule = {"port" = 1}
}
