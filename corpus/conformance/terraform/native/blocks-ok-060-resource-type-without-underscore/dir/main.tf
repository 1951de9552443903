resource "single" "a" {
}
data "a-b" "x" {
}
data "Upper_Case" "y" {
}
