resource "terraform_data" "one" {
}
resource "terraform_data" "many" {
  count = 2
}
resource "terraform_data" "each" {
  for_each = {"a" = 1}
}
resource "terraform_data" "q" {
  input = "${terraform_data.one[0].id} ${terraform_data.many.id} ${terraform_data.each.id} ${terraform_data.many[0].id} ${terraform_data.each["a"].id} ${terraform_data.many[*].id} ${terraform_data.one[*].id}"
}
resource "terraform_data" "r" {
  input = terraform_data.one.nope
}
resource "terraform_data" "s" {
  input = terraform_data.s.id
}
resource "terraform_data" "t" {
  count = terraform_data.t.id
}
resource "terraform_data" "u" {
  for_each = each.key
}
resource "terraform_data" "v" {
  count = count.index
}
