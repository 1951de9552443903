variable "a" {
  default = 1
}
variable "a" {
  default = 2
}
locals {
  x = 2
}
locals {
  x = 3
  x = 4
}
variable "b" {
  default = 1
  default = 2
}
