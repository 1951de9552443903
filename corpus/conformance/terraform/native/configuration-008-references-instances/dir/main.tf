locals {
  i = 0
}
resource "terraform_data" "c" {
  count = 2
  input = ["x"]
}
resource "terraform_data" "f" {
  for_each = {"a b" = 1, "q\"" = 2}
}
resource "terraform_data" "r" {
  input = {"a" = terraform_data.c[0], "b" = terraform_data.c[1].output[0], "c" = terraform_data.f["a b"].id, "d" = terraform_data.f["q\""].output, "e" = terraform_data.c[local.i].id, "f" = terraform_data.c[local.i + 1].id, "g" = terraform_data.f[terraform_data.c[0].id == "" ? "a b" : "a b"].id, "h" = terraform_data.c, "i" = terraform_data.f}
}
