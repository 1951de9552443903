output "s" {
  value = "text"
}
output "e" {
  value = ""
}
output "n" {
  value = 1
}
output "t" {
  value = true
}
output "f" {
  value = false
}
output "z" {
  value = null
}
output "l" {
  value = [1, "a", null, [], {}]
}
output "o" {
  value = {"b" = {"y" = 1, "x" = 2}, "a" = [{"k" = null}]}
}
output "el" {
  value = []
}
output "eo" {
  value = {}
}
