terraform {
  required_providers {
    c = {source = "last/c"}
  }
}
terraform {
  required_providers {
    d = "1.0"
  }
}
