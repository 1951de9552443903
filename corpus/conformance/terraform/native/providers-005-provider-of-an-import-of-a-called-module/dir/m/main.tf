import {
  to = test_thing.x
  id = "a"
}
