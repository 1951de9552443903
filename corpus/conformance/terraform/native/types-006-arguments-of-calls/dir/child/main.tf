variable "map" {
  type = map(string)
}
output "map" {
  value = var.map
}
