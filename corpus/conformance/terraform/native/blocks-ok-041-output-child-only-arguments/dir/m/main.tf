variable "e" {
  ephemeral = true
  default = 1
}
output "old" {
  value = 1
  deprecated = "use new"
}
output "eph" {
  value = var.e
  ephemeral = true
}
