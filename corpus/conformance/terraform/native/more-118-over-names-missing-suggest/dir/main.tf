variable "region" {
}
resource "terraform_data" "server" {
}
module "net" {
  source = "./m"
}
