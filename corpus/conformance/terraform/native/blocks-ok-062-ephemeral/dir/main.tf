ephemeral "example_secret" "a" {
  count = var.n
  length = 8
  depends_on = [terraform_data.r]
  lifecycle {
    postcondition {
      condition = self.value != null
      error_message = "m"
    }
  }
}
ephemeral "example_secret" "b" {
  for_each = {"k" = 1}
  provider = example.x
  _ {
    count = 2
  }
}
