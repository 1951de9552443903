terraform {
  backend "local" {
    path = "a"
  }
  backend "local" {
    path = "b"
  }
}
