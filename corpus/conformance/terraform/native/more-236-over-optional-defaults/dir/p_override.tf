variable "u" {
  type = list(string)
}
variable "t" {
  type = any
}
