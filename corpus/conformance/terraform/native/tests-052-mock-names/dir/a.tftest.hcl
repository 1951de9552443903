mock_provider "A" {
}
mock_provider "a_b" {
}
mock_provider "x" {
  alias = "1x"
}
mock_provider "y" {
  alias = 5
}
mock_provider "z" {
  alias = null
}
mock_provider "w" {
  alias = "$${x}"
}
