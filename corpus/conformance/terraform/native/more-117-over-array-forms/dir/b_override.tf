variable "a" {
  description = "D"
}
