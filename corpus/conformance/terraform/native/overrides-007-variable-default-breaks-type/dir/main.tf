variable "a" {
  type = number
  default = 1
}
variable "b" {
  default = 1
}
variable "c" {
  type = list(number)
}
