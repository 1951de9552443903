terraform {
  required_providers {
    x = {source = "terraform.io/builtin/x"}
  }
}
resource "x_y" "z" {
}
