resource "terraform_data" "r" {
  provisioner "local-exec" {
    command = "one"
  }
  provisioner "local-exec" {
    command = "two"
    when = destroy
    on_failure = continue
  }
  provisioner "file" {
    content = "x"
    destination = "/tmp/x"
    connection {
      host = "h"
      type = "ssh"
    }
  }
  provisioner "remote-exec" {
    inline = ["a", "b"]
    when = create
    on_failure = fail
  }
  connection {
    host = self.id
    type = "winrm"
  }
}
