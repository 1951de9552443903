variable "regoin" {
}
resource "terraform_data" "sever" {
}
module "ned" {
}
