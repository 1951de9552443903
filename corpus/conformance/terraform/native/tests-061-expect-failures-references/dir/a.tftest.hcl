run "a" {
  expect_failures = [var, output, check[0], data.x, terraform_data, run.a, output[0], each, local["x"], template.x, check, module, run, data.a]
}
