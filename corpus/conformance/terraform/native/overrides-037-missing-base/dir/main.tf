locals {
  ok = 1
}
