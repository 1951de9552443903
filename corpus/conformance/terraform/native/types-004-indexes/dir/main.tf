resource "test_thing" "a" {
  name = "a"
}
resource "test_thing" "many" {
  count = 2
}
output "none" {
  value = test_thing.a[-1].id
}
output "of_many" {
  value = test_thing.many[-1].id
}
