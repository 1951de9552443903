variable "a" {
}
variable "b" {
}
variable "c" {
}
variable "d" {
}
variable "e" {
}
