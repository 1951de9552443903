terraform {
  required_providers {
    p = true
  }
}
