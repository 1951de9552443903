terraform {
  backend "x" {
  }
}
