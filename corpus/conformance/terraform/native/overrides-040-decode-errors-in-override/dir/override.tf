variable "v" {
  type = nope
  x = 1
}
variable "w" {
}
output "o" {
  valu = 1
}
resource "1" "r" {
}
