resource "terraform_data" "one" {
  input = {"a" = [{"b" = 1}]}
}
resource "terraform_data" "two" {
  input = terraform_data.one
  triggers_replace = [terraform_data.one.id, {"k" = terraform_data.one.output.a[0].b}]
}
resource "terraform_data" "three" {
  input = resource.terraform_data.one.id
}
