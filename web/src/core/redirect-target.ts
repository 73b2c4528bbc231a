/** A page of ours to go to after sign-in. Anything that could lead to another site is dropped. */
export function redirectTarget(text: unknown): string | undefined {
  if (typeof text !== "string" || !/^\/(?![/\\])/.test(text)) return undefined;
  const url = new URL(text, window.location.origin);
  return url.origin === window.location.origin ? url.pathname + url.search + url.hash : undefined;
}
