override_data {
  target = terraform_data.a
}
override_data {
  target = module.c
}
override_data {
  target = module.c.data.x.y
}
override_data {
  target = data.terraform_remote_state.s["k"]
}
override_data {
  target = data.x
}
