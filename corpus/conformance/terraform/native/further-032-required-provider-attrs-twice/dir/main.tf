terraform {
  required_providers {
    p = {source = "a/b", source = "c/d"}
  }
}
