variable "z" {
}
