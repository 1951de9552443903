resource "terraform_data" "a" {
}
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
removed {
  from = terraform_data.b
  lifecycle {
    destroy = false
  }
}
removed {
  from = terraform_data.b
  lifecycle {
    destroy = true
  }
}
