variable "b" {
  default = 1
}
