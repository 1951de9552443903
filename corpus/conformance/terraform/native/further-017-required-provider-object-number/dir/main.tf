terraform {
  required_providers {
    p = {source = 5}
  }
}
