variable "t" {
}
