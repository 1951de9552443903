// The page of `graph --format html` and `plan --format html`.

import { mount } from "./picture.js";

document.adoptedStyleSheets[0].insertRule("html, body { height: 100%; margin: 0; }");
window.picture = mount(document.body, JSON.parse(document.getElementById("data").textContent));
