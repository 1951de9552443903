variable "v" {
  type = object({a = optional(string, "x"), b = optional(number)})
  default = {}
}
variable "w" {
  default = {"c" = {}}
}
variable "y" {
  type = map(object({a = optional(string, "x")}))
  default = {"k" = {}}
}
variable "z" {
  type = object({a = optional(string, "x")})
  default = {"a" = "q"}
}
variable "t" {
  type = string
  default = true
}
variable "u" {
  type = list(string)
  default = ["b", "a", "b"]
}
