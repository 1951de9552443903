variable "source" {
}
variable "version" {
}
variable "providers" {
}
variable "count" {
}
variable "for_each" {
}
variable "lifecycle" {
}
variable "depends_on" {
}
variable "locals" {
}
variable "a-b" {
}
variable "1a" {
}
variable "" {
}
variable "é" {
}
variable "a b" {
}
variable "a.b" {
}
variable "_x" {
}
variable "-x" {
}
