module "m" {
  source = "./m"
  count = 1
}
resource "terraform_data" "r" {
  count = 1
}
