terraform {
  required_providers {
    p = {source = "$${x}"}
  }
}
