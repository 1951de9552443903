resource "a" "x" {
}
moved {
  from = ephemeral.a.b
  to = a.x
}
