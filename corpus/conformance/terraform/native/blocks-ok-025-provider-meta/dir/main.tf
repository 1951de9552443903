terraform {
  provider_meta "terraform" {
    module_name = not.evaluated
    n = 1
    o = {"k" = [null]}
  }
}
