// The page of `graph --format html` and `plan --format html`.

import { mountChanges } from "./changes.js";
import { mount } from "./picture.js";

document.adoptedStyleSheets[0].insertRule("html, body { height: 100%; margin: 0; }");
const data = JSON.parse(document.getElementById("data").textContent);
window.picture = (data.changes ? mountChanges : mount)(document.body, data);
