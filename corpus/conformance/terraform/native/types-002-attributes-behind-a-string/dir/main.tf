resource "test_thing" "a" {
  name = "a"
}
resource "test_thing" "many" {
  count = 2
}
data "test_thing" "a" {
  name = "a"
}
locals {
  id = test_thing.a.id
}
output "managed" {
  value = test_thing.a.id.x
}
output "data" {
  value = data.test_thing.a.id.x
}
output "local" {
  value = local.id.x
}
output "instance" {
  value = test_thing.many[0].id.x
}
output "call" {
  value = module.child.text.x
}
output "any" {
  value = module.child.any.x
}
module "child" {
  source = "./child"
}
