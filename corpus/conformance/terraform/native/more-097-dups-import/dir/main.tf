resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  count = 2
}
import {
  to = terraform_data.a
  id = "1"
}
import {
  to = terraform_data.a
  id = "2"
}
import {
  to = terraform_data.b[0]
  id = "1"
}
import {
  to = terraform_data.b[0]
  id = "2"
}
import {
  to = terraform_data.b[1]
  id = "2"
}
