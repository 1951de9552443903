terraform {
  required_providers {
    p = {source = "terraform.io/builtin/terraform"}
  }
}
provider "p" {
  count = 1
  for_each = {}
  depends_on = []
  source = "x"
  lifecycle = {}
  locals = {}
  _ {
  }
}
