terraform {
  cloud {
  }
  backend "local" {
  }
}
