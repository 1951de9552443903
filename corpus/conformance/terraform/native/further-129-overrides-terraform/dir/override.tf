terraform {
  required_version = ">= 1.0"
  required_providers {
    x = {source = "a/b"}
  }
  backend "s3" {
  }
}
