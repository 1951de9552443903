variable "old" {
  default = 1
  deprecated = "Use new."
}
variable "new" {
  default = 1
}
output "old" {
  value = var.old
  deprecated = "Use new."
}
output "new" {
  value = var.new
}
