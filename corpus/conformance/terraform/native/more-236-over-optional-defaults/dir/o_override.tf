variable "v" {
  type = object({a = optional(string, "y"), c = optional(string, "z")})
}
variable "w" {
  type = object({c = object({d = optional(string, "z")})})
}
variable "y" {
  type = map(object({a = optional(number, 1)}))
  default = {"k" = {"a" = 5}, "l" = {}}
}
variable "z" {
  default = {}
}
variable "t" {
  type = bool
}
variable "u" {
  type = set(string)
}
