// How somebody comes back from the provider's page. Free of zod, because old phones load it.
export interface OutcomeSearch {
  /** The secret of the link. */
  r?: string;
  /** What the provider calls the visit to its page. */
  session?: string;
  /** Its page could not be opened. */
  busy?: true;
}

const TOKEN = /^[\w-]{22,128}$/;
const SESSION = /^cs_[\w-]{1,200}$/;

export function readOutcomeSearch({ r, session, busy }: Record<string, unknown>): OutcomeSearch {
  return {
    ...(typeof r === "string" && TOKEN.test(r) ? { r } : {}),
    ...(typeof session === "string" && SESSION.test(session) ? { session } : {}),
    ...(busy === 1 || busy === "1" || busy === true ? { busy: true } : {}),
  };
}
