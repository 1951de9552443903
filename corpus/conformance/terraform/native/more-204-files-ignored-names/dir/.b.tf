variable "b" {
}
