output "text" {
  type = string
  value = "a"
}
