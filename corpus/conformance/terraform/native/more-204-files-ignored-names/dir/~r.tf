variable "r" {
}
