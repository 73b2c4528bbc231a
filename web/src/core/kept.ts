// Where this browser keeps what a person wrote and the server has not got yet: a database of its own (IndexedDB) for
// each person and practice, so that nobody meets what another wrote.
import { isImpersonating } from "./impersonation.ts";
import { sessionState } from "./session-state.ts";

const PREFIX = "kept/";

/** The name of the database of whoever is signed in; null for nobody. */
export function keptName(): string | null {
  const user = sessionState().status?.user;
  return user ? `${PREFIX}${user.ownerId}/${user.userId}${isImpersonating() ? "/impersonating" : ""}` : null;
}

/** Empties what this browser keeps, but for the database of this name. Says whether that one is there. */
export async function forgetKept(except: string | null): Promise<boolean> {
  if (!("indexedDB" in window)) return false;
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== except).map(remove));
  return except !== null && names.includes(except);
}

const remove = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener("success", () => resolve());
    // It goes as soon as the tab that has it open lets go of it.
    request.addEventListener("blocked", () => resolve());
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser kept its database.")));
  });
