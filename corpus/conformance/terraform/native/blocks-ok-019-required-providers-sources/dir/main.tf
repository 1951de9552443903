terraform {
  required_providers {
    one = {source = "alpha"}
    two = {source = "Org/Beta"}
    three = {source = "registry.example.com/org/gamma", version = "1.2.3"}
    port = {source = "example.com:8443/org/delta"}
    idn = {source = "испытание.com/org/epsilon"}
    built = {source = "terraform.io/builtin/terraform"}
    none = {}
  }
}
