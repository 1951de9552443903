resource "terraform_data" "a" {
  depends_on = [each.key]
}
resource "terraform_data" "b" {
}
resource "terraform_data" "c" {
  count = 1
}
variable "v" {
}
module "m" {
  source = "./m"
}
