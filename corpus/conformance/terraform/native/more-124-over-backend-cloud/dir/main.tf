terraform {
  cloud {
    organization = "o"
    workspaces {
      name = "x"
    }
  }
}
