terraform {
  required_providers {
    p = 1.5
  }
}
