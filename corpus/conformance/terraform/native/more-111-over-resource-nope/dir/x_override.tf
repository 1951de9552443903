resource "terraform_data" "s" {
  nope = "x"
}
resource "terraform_data" "n" {
  nope = 5
}
resource "terraform_data" "t" {
  nope = true
}
resource "terraform_data" "nul" {
  nope = null
}
resource "terraform_data" "ea" {
  nope = []
}
resource "terraform_data" "as" {
  nope = ["x"]
}
resource "terraform_data" "eo" {
  nope = {}
}
resource "terraform_data" "tv" {
  nope = var.v
}
resource "terraform_data" "es" {
  nope = ""
}
resource "terraform_data" "oa" {
  nope = [{}]
}
resource "terraform_data" "st" {
  nope = "false"
}
