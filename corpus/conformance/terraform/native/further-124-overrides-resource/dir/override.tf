resource "terraform_data" "a" {
  input = 2
  for_each = {}
}
resource "terraform_data" "b" {
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "c" {
  provisioner "local-exec" {
    command = "y"
  }
  provisioner "local-exec" {
    command = "z"
  }
}
resource "terraform_data" "d" {
}
resource "null_resource" "x" {
}
