variable "a" {
}
variable "b" {
  default = 1
}
