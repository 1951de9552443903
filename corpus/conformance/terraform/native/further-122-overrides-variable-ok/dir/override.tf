variable "a" {
  default = "2"
}
variable "b" {
  type = number
}
variable "c" {
  description = "d"
  nullable = false
  default = "x"
}
