resource "terraform_data" "deep" {
  count = 2
  input = count.index
}
