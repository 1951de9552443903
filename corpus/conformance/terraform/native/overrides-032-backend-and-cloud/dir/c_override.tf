terraform {
  cloud {
    organization = "p"
    workspaces {
      name = "w"
    }
  }
}
