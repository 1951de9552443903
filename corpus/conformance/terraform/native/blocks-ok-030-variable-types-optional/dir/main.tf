variable "a" {
  type = object({x = string, y = optional(number), z = optional(bool, "true")})
  default = {"x" = 1}
}
variable "b" {
  type = list(object({k = optional(string, "d"), n = optional(object({m = optional(number, 5)}), {})}))
  default = [{}, {"k" = null}, {"n" = {"m" = "7"}}]
}
variable "c" {
  type = map(object({v = optional(list(string), ["p", "q"])}))
  default = {"one" = {}, "two" = {"v" = []}}
}
variable "d" {
  type = object({x = optional(string, "d")})
  default = null
}
variable "e" {
  type = tuple([object({t = optional(number, 1)})])
  default = [{}]
}
variable "f" {
  type = set(object({s = optional(string, "z")}))
  default = [{}, {"s" = "z"}, {"s" = "y"}]
}
