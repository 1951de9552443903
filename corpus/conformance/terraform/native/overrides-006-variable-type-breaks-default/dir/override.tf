variable "a" {
  type = number
}
variable "b" {
  type = map(string)
}
