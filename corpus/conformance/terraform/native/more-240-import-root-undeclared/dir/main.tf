resource "terraform_data" "ok" {
}
resource "terraform_data" "c" {
  count = 2
}
module "m" {
  source = "./m"
}
module "k" {
  source = "./m"
  count = 1
}
import {
  to = terraform_data.nope
  id = "x"
}
