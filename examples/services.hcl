region = "eu-central-1"

service "web" {
  port     = 8080
  replicas = 1 + 2
}

service "worker" {
  port = "9090"
}
