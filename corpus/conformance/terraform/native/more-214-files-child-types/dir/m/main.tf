variable "a" {
  type = number
}
variable "b" {
  type = string
}
variable "c" {
  type = list(string)
}
variable "d" {
  type = list(string)
}
variable "e" {
  type = object({x = string})
}
variable "f" {
  type = string
  nullable = false
}
variable "g" {
  type = set(string)
}
variable "h" {
  type = bool
}
variable "i" {
  type = bool
}
