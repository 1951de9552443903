terraform {
  required_providers {
    mine = {source = "hashicorp/test", version = "1.0.0"}
  }
}
resource "terraform_data" "r" {
}
