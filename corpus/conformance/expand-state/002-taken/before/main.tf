resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" { input = "b" }
resource "terraform_data" "whole" {
  count = 2
  input = count.index
}
resource "terraform_data" "other" {
  count = 3
  input = count.index
}
resource "terraform_data" "counted" { input = 1 }
resource "terraform_data" "both" { input = 1 }
module "m" {
  source   = "./m"
  for_each = toset(["x", "y"])
}
module "n" {
  source   = "./m"
  for_each = toset(["y"])
}
module "single" { source = "./m" }
