resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
moved {
  from = terraform_data.x
  to = terraform_data.y
}
moved {
  from = terraform_data.y
  to = terraform_data.x
}
moved {
  from = terraform_data.q
  to = terraform_data.q
}
