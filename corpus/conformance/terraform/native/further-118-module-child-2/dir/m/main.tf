variable "a" {
}
variable "b" {
  default = 1
  nullable = false
}
