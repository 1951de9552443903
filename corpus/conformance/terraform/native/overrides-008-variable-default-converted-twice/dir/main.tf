variable "a" {
  type = bool
  default = "true"
}
variable "b" {
  type = string
  default = 1.50
}
variable "c" {
  type = set(string)
  default = ["b", "a", "b"]
}
