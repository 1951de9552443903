resource "terraform_data" "a" {
}
module "inner" {
  source = "./inner"
}
