resource "terraform_data" "r" {
  input = {"k" = path.module}
  provisioner "local-exec" {
    command = "x"
  }
}
output "o" {
  value = [terraform_data.r.id]
}
