terraform {
  required_providers {
    p = ">= 1.0"
  }
}
