run "a" {
  providers = {}
  expect_failures = []
}
