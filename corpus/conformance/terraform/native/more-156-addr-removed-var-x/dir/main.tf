removed {
  from = var.x
  lifecycle {
    destroy = true
  }
}
