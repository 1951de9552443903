resource "terraform_data" "in" { input = 9 }
resource "terraform_data" "each" {
  for_each = toset(["k.\"1"])
  input    = each.key
}
