ephemeral "t" "a" {
  count = 1
  for_each = {}
}
ephemeral "t" "b" {
  connection {
  }
}
ephemeral "t" "c" {
  provisioner "x" {
  }
}
ephemeral "t" "d" {
  lifecycle {
    prevent_destroy = true
  }
}
ephemeral "t" "e" {
  lifecycle {
    precondition {
      condition = true
      error_message = "M."
    }
  }
}
ephemeral "t" "f" {
  depends_on = [x]
}
ephemeral "t" "1" {
}
ephemeral "1t" "a" {
}
