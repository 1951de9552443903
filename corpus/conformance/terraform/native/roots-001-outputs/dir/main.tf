terraform {
  backend "local" {
  }
}
output "a" {
  value = 1
  ephemeral = true
}
output "b" {
  value = 1
  deprecated = "Use a."
}
