run "r" {
  plan_options {
  }
  plan_options {
    mode = normal
  }
}
