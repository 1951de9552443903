resource "terraform_data" "r" {
  triggers_replace = 1
  _ {
    input = path.module
  }
}
module "m" {
  source = "./m"
  a = 1
  _ {
    b = path.module
  }
}
