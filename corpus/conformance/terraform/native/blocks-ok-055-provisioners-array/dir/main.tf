resource "terraform_data" "r" {
  provisioner "local-exec" {
    command = "1"
  }
  provisioner "remote-exec" {
    inline = ["2"]
    connection {
      host = "h"
    }
  }
  provisioner "local-exec" {
    command = "3"
  }
  provisioner "file" {
    content = "4"
    destination = "d"
  }
  connection {
    host = "x"
  }
}
