resource "terraform_data" "random" {
  input            = uuid()
  triggers_replace = "t"
}
resource "terraform_data" "on_random" { input = terraform_data.random.output }
resource "terraform_data" "ignored" {
  input            = { a = "old", b = "old" }
  triggers_replace = "old"
}
resource "terraform_data" "ignored_all" {
  input            = "old"
  triggers_replace = "old"
}
resource "terraform_data" "ignored_part" {
  input = { a = "old", b = "old" }
}
resource "terraform_data" "changed" { input = "old" }
resource "terraform_data" "replaced" { input = "same" }
resource "terraform_data" "same" { input = "same" }
