run "a" {
  expect_failures = [action.a.b]
  plan_options {
    target = [action.a.b]
    replace = [action.a.b]
  }
}
