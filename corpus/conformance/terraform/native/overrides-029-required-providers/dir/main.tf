terraform {
  required_providers {
    a = {source = "base/a", version = "1.0"}
    b = {source = "base/b"}
  }
}
resource "a_x" "r" {
}
resource "c_x" "r" {
}
