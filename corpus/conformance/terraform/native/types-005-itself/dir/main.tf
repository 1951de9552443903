resource "test_thing" "a" {
  name = "a"
  lifecycle {
    postcondition {
      condition = self.nope == 2
      error_message = "No."
    }
  }
}
resource "test_thing" "b" {
  name = "a"
  lifecycle {
    postcondition {
      condition = self.name == 2
      error_message = "No."
    }
  }
}
