variable "v" {
  typ = 1
}
output "o" {
  value = 1
}
