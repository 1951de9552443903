terraform {
  backend "s3" {
    bucket = "b"
  }
}
