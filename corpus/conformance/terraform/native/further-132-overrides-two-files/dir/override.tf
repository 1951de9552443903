locals {
  a = 2
}
variable "v" {
  default = 2
}
