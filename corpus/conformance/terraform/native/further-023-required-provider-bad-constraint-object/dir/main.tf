terraform {
  required_providers {
    p = {version = "1.x.y"}
  }
}
