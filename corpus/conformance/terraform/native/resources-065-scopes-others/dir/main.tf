output "a" {
  value = each.value
}
output "b" {
  value = self.x
}
output "c" {
  value = count.foo
}
output "d" {
  value = 1
  precondition {
    condition = each.key == 1
    error_message = "m"
  }
}
output "e" {
  value = path.foo
}
output "f" {
  value = terraform.foo
}
output "g" {
  value = terraform.env
}
locals {
  a = each.value
  b = count.index
  c = self.x
}
check "c" {
  assert {
    condition = each.key == 1
    error_message = "m"
  }
}
