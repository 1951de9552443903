locals {
  a = 1
}
variable "v" {
  default = 1
}
