run "t" {
  command = plan
  assert {
    condition = var.x == 1
    error_message = "M."
  }
}
run "u" {
  command = nope
}
run "1" {
}
run "v" {
  variables {
    q = 1
  }
  expect_failures = [var.x, 5]
  module {
    source = "./m"
  }
  x = 1
}
variables {
  x = 2
}
foo = {}
