locals {
  a = 1
}
variable "v" {
}
module "m" {
  source = "./m"
}
data "t" "d" {
}
