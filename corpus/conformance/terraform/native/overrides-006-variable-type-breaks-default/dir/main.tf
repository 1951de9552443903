variable "a" {
  default = "x"
}
variable "b" {
  type = list(string)
  default = ["x"]
}
