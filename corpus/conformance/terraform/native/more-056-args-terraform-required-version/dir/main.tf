variable "v" {
  default = "x"
}
terraform {
  required_version = "x"
}
terraform {
  required_version = 5
}
terraform {
  required_version = 1.5
}
terraform {
  required_version = 1
}
terraform {
  required_version = true
}
terraform {
  required_version = "true"
}
terraform {
  required_version = null
}
terraform {
  required_version = []
}
terraform {
  required_version = ["x"]
}
terraform {
  required_version = {}
}
terraform {
  required_version = {"k" = "x"}
}
terraform {
  required_version = "$${x}"
}
terraform {
  required_version = "$${var.v}"
}
terraform {
  required_version = "a$${var.v}b"
}
terraform {
  required_version = ""
}
terraform {
  required_version = "x"
}
terraform {
  required_version = [{}]
}
terraform {
  required_version = [null]
}
terraform {
  required_version = "$$${x}"
}
terraform {
  required_version = [5, "a b"]
}
terraform {
  required_version = [{}, {}]
}
terraform {
  required_version = [["x"]]
}
terraform {
  required_version = {"a" = {}}
}
terraform {
  required_version = "$${"
}
