resource "terraform_data" "typed" {
  input = fileexists("${path.module}/nope") ? ["a", 1, true] : null
}

resource "terraform_data" "none" {}

output "known" {
  value = { typed = terraform_data.typed.output, none = terraform_data.none.output }
}

output "next" {
  value = [terraform_data.typed.output == null, terraform_data.none.output == null]
}
