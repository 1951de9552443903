resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 2
  input = count.index
}
resource "terraform_data" "plain" { input = 1 }
resource "terraform_data" "one" {
  count = 1
  input = 2
}
module "m" {
  source = "./m"
  count  = 2
}
module "x" { source = "./m" }
resource "terraform_data" "taken" { input = 3 }
resource "terraform_data" "taken2" { input = 4 }
resource "terraform_data" "gone" { input = 5 }
