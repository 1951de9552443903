terraform {
  required_providers {
    a = {source = "a/b", source = "a/c"}
    a = {source = "a/b"}
    b = "1"
    b = "2"
  }
}
