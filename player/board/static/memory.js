// Storage of the browser; without it the page works, too. A browser that blocks a storage raises
// an error where it is mentioned, so each has a name here.

const PREFIX = "hsearch.";
const SITE = "localStorage";
export const keyOf = (name) => PREFIX + name; // in the storage
export const TAB = "sessionStorage";

export function remember(name, value, storage = SITE) {
  rememberText(name, JSON.stringify(value), storage);
}

export function recall(name, otherwise, storage = SITE) {
  try {
    return JSON.parse(recallText(name, storage)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

// The same for a text, which is stored as it is.
export function rememberText(name, text, storage = SITE) {
  try {
    window[storage].setItem(keyOf(name), text);
  } catch { /* the storage is full, switched off or blocked */ }
}

export function recallText(name, storage = SITE) {
  try {
    return window[storage].getItem(keyOf(name));
  } catch {
    return null;
  }
}

export function forget(name, storage = SITE) {
  try {
    window[storage].removeItem(keyOf(name));
  } catch { /* there is no storage */ }
}
