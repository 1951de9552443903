terraform {
  required_providers {
    a = {source = "over/a"}
    c = {source = "over/c"}
  }
}
