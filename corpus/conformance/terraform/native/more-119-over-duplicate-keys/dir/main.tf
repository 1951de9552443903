variable "a" {
}
variable "b" {
}
locals {
  x = 1
}
