mock_provider "terraform" {
  override_resource {
    target = terraform_data.zz
  }
  override_resource {
    target = terraform_data.a
  }
}
