output "any" {
  value = "a"
}
