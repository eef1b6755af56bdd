// Storage of the browser; without it the page works, too.

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
  } catch { /* there is no storage */ }
}
