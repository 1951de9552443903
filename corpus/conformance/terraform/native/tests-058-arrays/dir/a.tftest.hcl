variables {
  v = 1
}
variables {
  v = 2
}
provider "terraform" {
}
provider "terraform" {
}
override_resource {
  target = terraform_data.a
}
override_resource {
  target = terraform_data.a
}
run "r" {
  plan_options {
  }
  plan_options {
  }
}
