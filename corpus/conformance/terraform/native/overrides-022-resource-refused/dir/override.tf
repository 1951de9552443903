resource "terraform_data" "b" {
  depends_on = [terraform_data.a]
  lifecycle {
    precondition {
      condition = terraform_data.a.id
      error_message = "m"
    }
    postcondition {
      condition = terraform_data.b.id
    }
  }
}
