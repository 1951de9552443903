ephemeral "test_secret" "s" {
  length = 1
}
resource "terraform_data" "r" {
}
