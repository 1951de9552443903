variable "a" {
  type = string
  default = "1"
}
variable "b" {
  type = list(string)
  default = ["a", "a"]
}
variable "c" {
  default = {"x" = 1}
}
variable "d" {
  type = object({x = optional(string, "q")})
  default = {}
}
variable "e" {
  type = string
  default = null
  nullable = true
}
variable "f" {
  type = bool
  default = "true"
}
