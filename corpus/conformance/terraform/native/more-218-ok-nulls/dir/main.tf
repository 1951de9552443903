resource "terraform_data" "a" {
  input = null
  count = 1
  depends_on = []
}
variable "v" {
  description = "d"
}
output "o" {
  value = null
}
