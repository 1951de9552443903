terraform {
  backend "local" {
    path = "state/main.tfstate"
    workspace_dir = not.evaluated
  }
}
