terraform {
  required_providers {
    p = {version = 5}
  }
}
