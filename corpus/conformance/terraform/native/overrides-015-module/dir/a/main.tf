variable "p" {
}
variable "q" {
}
