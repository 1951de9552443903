variable "c" {
}
