variable "a" {
  type = string
}
variable "b" {
  type = number
}
variable "c" {
  type = list(string)
}
