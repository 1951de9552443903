resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
moved {
  from = terraform_data.x
  to = terraform_data.a
}
moved {
  from = terraform_data.x
  to = terraform_data.b
}
moved {
  from = terraform_data.y
  to = terraform_data.a
}
moved {
  from = terraform_data.b
  to = terraform_data.z
}
moved {
  from = terraform_data.q
  to = terraform_data.q
}
