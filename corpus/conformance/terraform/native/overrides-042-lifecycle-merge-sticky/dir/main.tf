resource "terraform_data" "a" {
  lifecycle {
    ignore_changes = all
  }
}
resource "terraform_data" "b" {
  lifecycle {
    ignore_changes = [input]
  }
}
