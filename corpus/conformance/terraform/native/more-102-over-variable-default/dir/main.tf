variable "s" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "n" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "t" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "nul" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "ea" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "as" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "eo" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "tv" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "es" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "oa" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
variable "st" {
  type = string
  default = "d"
  sensitive = true
  description = "D"
  nullable = true
}
