terraform {
  required_providers {
    x = "~> 1.0"
    y = 2
    z = ">= 1.2.3, != 1.2.4, < 2.0.0-beta.1"
  }
}
