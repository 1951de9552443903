output "o" {
  description = "plain"
}
