terraform {
  required_providers {
    terraform = {source = "terraform.io/builtin/terraform"}
  }
}
resource "terraform_data" "r" {
}
provider "terraform" {
}
provider "terraform" {
  alias = "b"
}
module "counted" {
  source = "./m"
  count = 1 + 1
  a = count.index
  depends_on = [terraform_data.r, module.each]
}
module "each" {
  source = "./m/"
  for_each = {"k" = 1}
  a = [each.key, {"v" = each.value}]
}
module "passed" {
  source = "./m/../m"
  providers = {terraform = terraform.b}
}
