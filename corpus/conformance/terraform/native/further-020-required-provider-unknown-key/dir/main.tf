terraform {
  required_providers {
    p = {sourc = "a/b"}
  }
}
