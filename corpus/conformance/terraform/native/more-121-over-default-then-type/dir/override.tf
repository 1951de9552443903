variable "a" {
  type = number
}
variable "b" {
  type = set(string)
}
variable "c" {
  type = string
}
variable "d" {
  type = object({x = optional(string, "z")})
}
variable "e" {
  nullable = false
}
variable "f" {
  type = number
}
