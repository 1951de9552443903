resource "test_thing" "a" {
  name = "a"
}
resource "test_thing" "many" {
  count = 2
}
resource "test_thing" "argument" {
  name = test_thing.a
}
resource "test_thing" "text" {
  name = "x-${test_thing.a}"
}
resource "test_thing" "of_many" {
  name = "x-${test_thing.many}"
}
resource "test_thing" "counted" {
  count = test_thing.a
}
resource "test_thing" "each" {
  for_each = test_thing.a.id
}
resource "test_thing" "call" {
  name = module.child
}
module "child" {
  source = "./child"
}
output "text" {
  value = "x-${module.child}"
}
output "sum" {
  value = test_thing.a + 1
}
output "choice" {
  value = test_thing.a ? 1 : 2
}
output "argument" {
  value = upper(test_thing.a)
}
output "keys" {
  value = keys(test_thing.a.id)
}
output "right" {
  value = keys(test_thing.a)
}
