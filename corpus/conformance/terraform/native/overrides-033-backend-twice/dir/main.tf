terraform {
  backend "local" {
    path = "base"
  }
}
