variable "c" {
  default = 1
}
