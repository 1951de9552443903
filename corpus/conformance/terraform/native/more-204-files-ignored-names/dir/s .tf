variable "s" {
}
