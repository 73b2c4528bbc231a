import { settings } from "../../core/settings.ts";

const NAME = "evenhand";
const DEVICE_SUFFIX = "-device";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

const isSecure = () => settings().PUBLIC_URL?.startsWith("https:") ?? false;

// Browsers take __Host- only with Secure, and Secure only over https.
const signInCookieName = () => (isSecure() ? `__Host-${NAME}` : NAME);
const deviceCookieName = () => signInCookieName() + DEVICE_SUFFIX;

function serialise(name: string, value: string, maxAgeSeconds: number | null): string {
  const parts = [`${name}=${value}`, "Path=/", "HttpOnly", "SameSite=Lax"];
  if (isSecure()) parts.push("Secure");
  if (maxAgeSeconds !== null) parts.push(`Max-Age=${maxAgeSeconds}`);
  return parts.join("; ");
}

/** `maxAgeSeconds` null: the cookie ends with the browser. */
export const signInCookie = (id: string, maxAgeSeconds: number | null) =>
  serialise(signInCookieName(), id, maxAgeSeconds);
export const blankSignInCookie = () => serialise(signInCookieName(), "", 0);
export const deviceCookie = (id: string) => serialise(deviceCookieName(), id, YEAR_SECONDS);

export const readSignInCookie = (header: string) => readCookie(header, signInCookieName());
export const readDeviceCookie = (header: string) => readCookie(header, deviceCookieName());

function readCookie(header: string, name: string): string | null {
  for (const part of header.split(";")) {
    const [key, value] = part.trim().split("=", 2);
    // Our own ids only, so that nothing else from a header ever reaches a query.
    if (key === name && value !== undefined && /^[\w-]{22,128}$/.test(value)) return value;
  }
  return null;
}
