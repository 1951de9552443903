terraform {
  required_providers {
    p = {}
  }
}
