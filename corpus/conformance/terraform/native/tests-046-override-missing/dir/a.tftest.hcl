override_resource {
  target = terraform_data.zz
}
override_resource {
  target = module.c.terraform_data.d
}
override_resource {
  target = module.zz.terraform_data.d
}
override_data {
  target = data.terraform_remote_state.zz
}
override_module {
  target = module.zz
}
run "r" {
  override_resource {
    target = terraform_data.yy
  }
}
