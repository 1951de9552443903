variable "l" {
}
