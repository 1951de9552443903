resource "terraform_data" "random" {
  input            = uuid()
  triggers_replace = "t"
}
resource "terraform_data" "on_random" { input = terraform_data.random.output }
resource "terraform_data" "ignored" {
  input            = { a = "new", b = "old" }
  triggers_replace = "old"
  lifecycle { ignore_changes = [input] }
}
resource "terraform_data" "ignored_all" {
  input            = "new"
  triggers_replace = "new"
  lifecycle { ignore_changes = all }
}
resource "terraform_data" "ignored_part" {
  input = { a = "new", b = "new" }
  lifecycle { ignore_changes = [input["a"]] }
}
resource "terraform_data" "changed" { input = "new" }
resource "terraform_data" "replaced" {
  input = "same"
  lifecycle { replace_triggered_by = [terraform_data.changed] }
}
resource "terraform_data" "same" { input = "same" }
resource "terraform_data" "new" {
  input = terraform_data.ignored.input
  lifecycle { ignore_changes = [input] }
}
