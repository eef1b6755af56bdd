// What the browser keeps between visits; where it keeps nothing, the page works all the same.

const PREFIX = "hsearch.";

export function remember(name, value, storage = localStorage) {
  try {
    storage.setItem(PREFIX + name, JSON.stringify(value));
  } catch { /* the storage is full or switched off */ }
}

export function recall(name, otherwise, storage = localStorage) {
  try {
    return JSON.parse(storage.getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function forget(name, storage = localStorage) {
  try {
    storage.removeItem(PREFIX + name);
  } catch { /* it keeps nothing anyway */ }
}
