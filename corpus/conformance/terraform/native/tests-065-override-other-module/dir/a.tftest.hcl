override_resource {
  target = terraform_data.d
}
run "r" {
  command = plan
  module {
    source = "./child"
  }
  override_resource {
    target = terraform_data.zz
  }
}
