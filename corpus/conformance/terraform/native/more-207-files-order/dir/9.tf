locals {
  b = 2
}
