terraform {
  required_providers {
    test = {source = "hashicorp/test", version = "<= 1.2, != 1.2, ~> 1.2.0, ~> 1.2, >= 1.2, 1.2.0"}
  }
}
resource "terraform_data" "r" {
}
