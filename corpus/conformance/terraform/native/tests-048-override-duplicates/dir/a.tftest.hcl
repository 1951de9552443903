override_resource {
  target = terraform_data.a
}
override_resource {
  target = terraform_data.a
}
override_resource {
  target = terraform_data.b[0]
}
override_resource {
  target = terraform_data.b
}
override_module {
  target = module.c
}
override_module {
  target = module.c
}
run "r" {
  override_resource {
    target = terraform_data.a
  }
  override_resource {
    target = terraform_data.a
  }
}
