output "a" {
  value = 2
  depends_on = [local.x, local.y]
  precondition {
    condition = local.x == 1
    error_message = "m"
  }
}
