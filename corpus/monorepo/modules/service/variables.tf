variable "name" {
  type = string
}

variable "ports" {
  type    = list(number)
  default = [443]
}

variable "environment" {
  type    = map(string)
  default = {}
}
