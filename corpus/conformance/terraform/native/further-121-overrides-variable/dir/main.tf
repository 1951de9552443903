variable "a" {
  type = number
  default = 1
}
variable "b" {
  default = "x"
}
variable "c" {
  type = string
}
variable "d" {
  type = list(string)
  default = []
}
