moved {
  from = terraform_data.deep
  to   = terraform_data.deeper
}
resource "terraform_data" "deeper" {
  count = 2
  input = count.index
}
