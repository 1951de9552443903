resource "terraform_data" "a" {
  input = 1
  count = 1
}
resource "terraform_data" "b" {
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "c" {
  provisioner "local-exec" {
    command = "x"
  }
}
