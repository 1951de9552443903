variable "n" {}
