terraform {
  backend "local" {
    path = "x"
  }
}
terraform {
  backend "local" {
    path = "y"
  }
}
terraform {
  cloud {
  }
}
