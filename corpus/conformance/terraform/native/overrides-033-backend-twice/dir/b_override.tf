terraform {
  cloud {
  }
}
terraform {
  cloud {
  }
}
terraform {
  cloud {
  }
}
