variable "a" {
  default = "x"
}
variable "b" {
  type = number
  default = "y"
}
variable "c" {
  default = [1, "z"]
}
