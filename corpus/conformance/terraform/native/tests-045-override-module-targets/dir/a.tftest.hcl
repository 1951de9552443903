override_module {
  target = terraform_data.a
}
override_module {
  target = module.c[0]
}
override_module {
  target = module
}
override_module {
  target = module.c.y
}
override_module {
  target = module.c.terraform_data.d
}
override_module {
  target = module.c[*]
}
