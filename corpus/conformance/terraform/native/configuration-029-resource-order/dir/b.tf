resource "terraform_data" "a10" {
}
resource "terraform_data" "a9" {
}
resource "terraform_data" "B" {
}
resource "terraform_data" "_" {
}
data "terraform_remote_state" "A" {
  backend = "local"
  depends_on = [terraform_data.z]
}
