output "o" {
  value = 4
}
