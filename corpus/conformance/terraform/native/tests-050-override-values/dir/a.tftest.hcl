override_resource {
  target = terraform_data.a
  values = 5
}
override_resource {
  target = terraform_data.b
  values = {"id" = var.v}
}
override_module {
  target = module.c
  values = {}
  outputs = "x"
}
override_data {
  target = data.terraform_remote_state.s
  outputs = {}
}
