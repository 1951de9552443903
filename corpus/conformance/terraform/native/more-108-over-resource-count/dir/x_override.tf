resource "terraform_data" "s" {
  count = "x"
}
resource "terraform_data" "n" {
  count = 5
}
resource "terraform_data" "t" {
  count = true
}
resource "terraform_data" "nul" {
  count = null
}
resource "terraform_data" "ea" {
  count = []
}
resource "terraform_data" "as" {
  count = ["x"]
}
resource "terraform_data" "eo" {
  count = {}
}
resource "terraform_data" "tv" {
  count = var.v
}
resource "terraform_data" "es" {
  count = ""
}
resource "terraform_data" "oa" {
  count = [{}]
}
resource "terraform_data" "st" {
  count = "false"
}
