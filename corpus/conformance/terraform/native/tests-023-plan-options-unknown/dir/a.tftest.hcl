run "r" {
  plan_options {
    parallelism = 3
  }
}
