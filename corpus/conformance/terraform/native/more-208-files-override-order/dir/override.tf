output "o" {
  value = 3
}
