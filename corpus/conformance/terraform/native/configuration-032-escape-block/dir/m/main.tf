variable "a" {
}
variable "b" {
}
