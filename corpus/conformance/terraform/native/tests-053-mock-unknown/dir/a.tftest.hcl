mock_provider "aws" {
  region = "x"
  for_each = {}
  mock_resource "a" {
    values = {}
  }
  mock_resources = {}
  override_module {
    target = module.c
  }
}
