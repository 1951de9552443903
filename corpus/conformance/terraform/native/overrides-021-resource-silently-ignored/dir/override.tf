resource "terraform_data" "b" {
  lifecycle {
    replace_triggered_by = [terraform_data.c]
  }
}
resource "terraform_data" "c" {
  lifecycle {
    replace_triggered_by = [terraform_data.a]
  }
}
