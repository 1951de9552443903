terraform {
  unknown = 1
  experiments = ["x"]
  backend "local" {
  }
  backend "s3" {
  }
  cloud {
  }
  cloud {
  }
  provider_meta "a" {
  }
  provider_meta "a" {
  }
}
