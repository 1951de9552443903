terraform {
  cloud {
    organization = "x"
    workspaces {
      name = "a"
    }
  }
}
