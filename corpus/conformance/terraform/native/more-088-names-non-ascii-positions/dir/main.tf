variable "é" {
  sensitive = "x"
}
variable "éx" {
  sensitive = "y"
}
variable "é" {
  sensitive = 5
  type = xé
}
variable "👨‍👩‍👧" {
}
variable "z" {
  nullable = "名"
  description = []
}
