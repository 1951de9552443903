terraform {
  backend "azure" {
  }
}
