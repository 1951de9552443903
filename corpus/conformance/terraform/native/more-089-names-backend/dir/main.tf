terraform {
  backend "a b" {
  }
}
