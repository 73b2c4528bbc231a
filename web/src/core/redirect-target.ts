/** A page of ours to go to after sign-in; undefined for whatever could lead to another site, or nowhere. */
export function redirectTarget(text: unknown): string | undefined {
  // A browser leaves out tabs and line breaks, and takes a backslash for a slash.
  if (typeof text !== "string" || !/^\/(?!\/)[^\\\s\p{C}]*$/u.test(text)) return undefined;
  const { origin } = window.location;
  if (!URL.canParse(text, origin)) return undefined;
  const url = new URL(text, origin);
  const target = url.pathname + url.search + url.hash;
  // What began with dots may begin with two slashes now.
  return url.origin === origin && !target.startsWith("//") ? target : undefined;
}
