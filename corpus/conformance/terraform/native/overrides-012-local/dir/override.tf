locals {
  a = {"x" = "over"}
}
