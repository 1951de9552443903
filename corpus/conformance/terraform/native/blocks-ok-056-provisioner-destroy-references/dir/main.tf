resource "terraform_data" "r" {
  count = 1
  connection {
    host = self.output
  }
  provisioner "local-exec" {
    when = destroy
    command = "${self.id} ${count.index} ${path.module} ${terraform.workspace}"
    environment = {"K" = self.input}
    connection {
      host = self.output
    }
  }
}
resource "terraform_data" "e" {
  for_each = {"a" = 1}
  provisioner "local-exec" {
    when = destroy
    command = each.key
  }
}
