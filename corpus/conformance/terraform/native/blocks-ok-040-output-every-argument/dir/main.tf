resource "terraform_data" "r" {
}
resource "terraform_data" "s" {
  count = 1
}
output "o" {
  value = terraform_data.r.id
  description = "The id."
  sensitive = true
  depends_on = [terraform_data.s, terraform_data.s[0]]
  precondition {
    condition = terraform_data.s[0].id != "x"
    error_message = "one"
  }
  precondition {
    condition = terraform_data.r.id != "y"
    error_message = "two"
  }
}
output "typed" {
  value = ["a", 1]
  type = "list(string)"
}
output "nothing" {
  value = null
}
