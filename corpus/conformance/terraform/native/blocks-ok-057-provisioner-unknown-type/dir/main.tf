resource "terraform_data" "r" {
  provisioner "no-such" {
    x = 1
  }
}
