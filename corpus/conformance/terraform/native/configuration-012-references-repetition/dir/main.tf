resource "terraform_data" "c" {
  count = 2
  input = count.index + 1
}
resource "terraform_data" "f" {
  for_each = {"a" = {"x" = [1]}}
  input = [each.key, each.value, each.value.x[0]]
}
resource "terraform_data" "s" {
  for_each = toset(["p", "q"])
  input = each.value
}
