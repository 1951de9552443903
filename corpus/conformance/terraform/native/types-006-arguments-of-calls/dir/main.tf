variable "text" {
  type = string
}
resource "test_thing" "a" {
  name = "a"
}
resource "test_thing" "many" {
  count = 2
}
module "variable" {
  source = "./child"
  map = var.text
}
module "resource" {
  source = "./child"
  map = test_thing.a.id
}
module "object" {
  source = "./child"
  map = test_thing.a
}
module "many" {
  source = "./child"
  map = test_thing.many
}
