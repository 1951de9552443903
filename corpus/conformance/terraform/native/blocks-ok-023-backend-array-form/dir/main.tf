terraform {
  backend "local" {
    path = "x.tfstate"
  }
}
