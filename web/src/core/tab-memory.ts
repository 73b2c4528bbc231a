// What this tab alone keeps over a reload, and forgets as it is closed.

export function remember(key: string, text: string): void {
  try {
    window.sessionStorage.setItem(key, text);
  } catch (error) {
    // A browser that keeps nothing: it is there until the page is loaded again.
    if (!(error instanceof DOMException)) throw error;
  }
}

export function remembered(key: string): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export function forget(key: string): void {
  try {
    window.sessionStorage.removeItem(key);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
