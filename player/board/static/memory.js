// Storage of the browser, and the recent games; without it the page works, too. A browser that
// blocks a storage raises an error where it is mentioned, so each has a name here.

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

// The same for a text, which is stored as it is. If the storage is full, switched off or blocked,
// a tab forgets what it had: a reload would return to that earlier state.
export function rememberText(name, text, storage = SITE) {
  try {
    window[storage].setItem(keyOf(name), text);
  } catch {
    if (storage === TAB) forget(name, TAB);
  }
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

// The recent games, in the browser's database, so that none is lost with its tab.

const MOST = 50;

export const newKey = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

const settle = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

// Whether a stored game has the state of each node, which the page needs.
export const isWhole = ({ record }) => record.nodes.every(({ state }) => state !== undefined);

export class Recent {
  // Open the database. Without one, the list is empty.
  constructor() {
    this.opening = new Promise((resolve, reject) => {
      const opening = indexedDB.open("hsearch", 1);
      opening.onupgradeneeded = () => {
        opening.result.createObjectStore("games", { keyPath: "key" });
      };
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    this.opening.catch(() => {});
  }

  async store(mode) {
    return (await this.opening).transaction("games", mode).objectStore("games");
  }

  // Store a game under its key, or under a new one if another tab has stored it meanwhile, which
  // the stamp shows. Return the key and the new stamp.
  async keep(game) {
    try {
      const store = await this.store("readwrite");
      const there = await settle(store.get(game.key));
      const isOther = there !== undefined && there.stamp !== game.stamp && there.tab !== game.tab;
      const key = isOther ? newKey() : game.key;
      const stamp = newKey();
      await settle(store.put({ ...game, key, stamp, when: Date.now() }));
      const games = await settle(store.getAll());
      games.sort((one, other) => other.when - one.when);
      games.slice(MOST).forEach((old) => store.delete(old.key));
      return { key, stamp };
    } catch {
      return { key: game.key, stamp: null };
    }
  }

  async all() {
    try {
      const games = await settle((await this.store("readonly")).getAll());
      return games.filter(isWhole).sort((one, other) => other.when - one.when);
    } catch {
      return [];
    }
  }

  async get(key) {
    return (await this.all()).find((game) => game.key === key) ?? null;
  }
}
