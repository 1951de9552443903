terraform {
  backend "local" {
    path = "x"
  }
  backend "s3" {
  }
}
