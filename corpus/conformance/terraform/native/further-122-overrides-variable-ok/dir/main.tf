variable "a" {
  type = number
  default = 1
}
variable "b" {
  default = "5"
}
variable "c" {
  type = string
}
