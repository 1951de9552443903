ephemeral "test_secret" "s" {
  length = 1
}
locals {
  s = ephemeral.test_secret.s.length
}
resource "terraform_data" "a" {
  count = local.s
}
resource "terraform_data" "b" {
  input = ephemeralasnull(local.s)
}
output "o" {
  value = [ephemeral.test_secret.s]
}
