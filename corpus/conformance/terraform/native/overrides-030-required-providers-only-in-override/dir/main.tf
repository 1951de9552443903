resource "a_x" "r" {
}
