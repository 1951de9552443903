moved {
  from = terraform_data.in
  to   = terraform_data.out
}
resource "terraform_data" "out" { input = 9 }
resource "terraform_data" "fresh" { input = 9 }
moved {
  from = terraform_data.each["k.\"1"]
  to = terraform_data.each["n\n$${x}"]
}
resource "terraform_data" "each" {
  for_each = toset(["n\n$${x}"])
  input    = "k.\"1"
}
output "id" { value = terraform_data.out.id }
