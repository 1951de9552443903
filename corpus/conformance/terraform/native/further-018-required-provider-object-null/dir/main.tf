terraform {
  required_providers {
    p = null
  }
}
