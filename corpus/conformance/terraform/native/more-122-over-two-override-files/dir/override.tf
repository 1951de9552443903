output "o" {
  sensitive = true
}
