removed {
  from = resource.a.b
  lifecycle {
    destroy = true
  }
}
