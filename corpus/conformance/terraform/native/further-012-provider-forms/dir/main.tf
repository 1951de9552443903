terraform {
  required_providers {
    p = {source = "terraform.io/builtin/terraform"}
  }
}
provider "p" {
}
provider "p" {
  alias = "x"
}
provider "p" {
  alias = "x"
}
provider "p" {
  alias = "1x"
}
provider "p" {
  alias = 5
}
provider "p" {
  alias = null
}
provider "p" {
  alias = "$${x}"
}
provider "p" {
  alias = "y"
  version = ">= 1"
}
provider "p" {
  version = 7
  alias = "z"
}
provider "p" {
  version = "nope"
  alias = "w"
}
