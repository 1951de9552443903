resource "terraform_data" "in" { input = 1 }
module "k" { source = "./k" }
