terraform {
  required_providers {
    terraform = "~> 1.0"
  }
}
