provider "A" {
}
provider "a_b" {
}
provider "1" {
}
provider "" {
}
provider "a.b" {
}
provider "a b" {
}
