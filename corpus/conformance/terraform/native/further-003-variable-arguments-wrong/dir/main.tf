variable "a" {
  description = 5
}
variable "b" {
  description = null
}
variable "c" {
  description = ["x"]
}
variable "d" {
  description = "$${x}"
}
variable "e" {
  sensitive = "true"
}
variable "f" {
  sensitive = "yes"
}
variable "g" {
  sensitive = 1
}
variable "h" {
  nullable = "false"
}
variable "i" {
  nullable = []
}
variable "j" {
  ephemeral = "x"
}
variable "k" {
  deprecated = 5
}
variable "l" {
  deprecated = true
}
variable "m" {
  const = "x"
}
variable "n" {
  unknown = 1
}
variable "o" {
  nullable = null
}
variable "p" {
  default = null
  nullable = false
}
