// Merges JSON documents.

const isObject = (value) => typeof value === "object" && value !== null;

/**
 * Adds the members of `source` to `target`: lists are joined, objects are merged, anything else
 * replaces what is there. An object that is empty after that is removed.
 */
export function merge(target, source) {
  if (!isObject(source)) {
    throw new TypeError(`a document must be an object, not ${JSON.stringify(source)}`);
  }
  const work = [[target, source]];
  const merged = [];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [into, from] = next;
    for (const [name, value] of Object.entries(from)) {
      const present = Object.hasOwn(into, name) ? into[name] : undefined;
      if (isObject(value) && !Array.isArray(value)) {
        const inner = isObject(present) ? present : {};
        set(into, name, inner);
        work.push([inner, value]);
        merged.push([into, name]);
      } else if (Array.isArray(value) && Array.isArray(present)) {
        set(into, name, [...present, ...value]);
      } else {
        set(into, name, value);
      }
    }
  }
  for (const [into, name] of merged.reverse()) {
    if (Object.keys(into[name]).length === 0) {
      delete into[name];
    }
  }
}

/** Sets a member, also one that is called `__proto__`. */
function set(object, name, value) {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}
