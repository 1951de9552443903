# Native syntax beside JSON: the two make one module.

resource "aws_ecs_service" "this" {
  name          = var.name
  desired_count = 2
}

data "aws_subnets" "private" {
  tags = {
    Tier = "private"
  }
}
