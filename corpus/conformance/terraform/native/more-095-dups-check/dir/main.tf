check "a" {
  assert {
    condition = terraform.workspace == 1
    error_message = "M."
  }
}
check "a" {
  assert {
    condition = terraform.workspace == 1
    error_message = "M."
  }
}
