mock_provider "aws" {
  source = 5
}
mock_provider "b" {
  source = null
}
mock_provider "c" {
  source = ["x"]
}
