resource "terraform_data" "a" {
  input = 1
  input = 2
  count = 1
  count = 2
  lifecycle {
  }
  lifecycle {
  }
  depends_on = []
  depends_on = []
  connection {
  }
  connection {
  }
  provider = terraform
  provider = terraform
}
resource "terraform_data" "a" {
}
resource "terraform_data" "a" {
}
resource "terraform_data" "a" {
}
