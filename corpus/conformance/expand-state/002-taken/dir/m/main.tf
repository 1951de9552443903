resource "terraform_data" "in" { input = 1 }
moved {
  from = module.k
  to   = module.k2
}
module "k2" { source = "./k" }
