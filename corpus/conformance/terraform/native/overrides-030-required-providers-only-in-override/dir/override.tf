terraform {
  required_providers {
    a = {source = "over/a"}
  }
}
