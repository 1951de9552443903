variable "text" {
  type = string
}
module "child" {
  source = "./child"
}
output "map" {
  type = map(string)
  value = var.text
}
output "number" {
  type = number
  value = "one"
}
output "right" {
  type = list(string)
  value = [var.text]
}
output "of_a_call" {
  type = number
  value = module.child.text
}
output "list_of_a_call" {
  type = list(string)
  value = module.child.text
}
