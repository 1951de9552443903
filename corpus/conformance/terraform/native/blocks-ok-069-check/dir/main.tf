locals {
  n = 1
}
check "one" {
  assert {
    condition = local.n == 1
    error_message = "m"
  }
}
check "two" {
  assert {
    condition = local.n > 0
    error_message = "m ${local.n}"
  }
  assert {
    condition = local.n < 2
    error_message = "n"
  }
}
