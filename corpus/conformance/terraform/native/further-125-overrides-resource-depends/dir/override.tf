resource "terraform_data" "a" {
  depends_on = [terraform_data.b]
}
resource "terraform_data" "b" {
  lifecycle {
    precondition {
      condition = true
      error_message = "M."
    }
  }
}
