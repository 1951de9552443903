variable "_a" {
}
variable "a-b" {
}
variable "a-" {
}
variable "A1" {
}
variable "π" {
}
variable "变量" {
}
variable "ñandú_2" {
}
