/** What a refusal begins with that keeps one party's from another: for programs, and nothing that a person reads. */
export const PARTY_LEAK = "PARTY_LEAK: ";

/** The words of such a refusal; of any other, all of it. */
export const withoutLeakCode = (message: string): string =>
  message.startsWith(PARTY_LEAK) ? message.slice(PARTY_LEAK.length) : message;
