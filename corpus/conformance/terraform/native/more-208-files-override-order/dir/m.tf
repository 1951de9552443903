output "o" {
  value = 0
}
