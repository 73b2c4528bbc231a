// What the installation itself is called in mail.
import { settings } from "../../core/settings.ts";

/** The address that system mail comes from. */
export function senderAddress(): string {
  const { SYSTEM_MAIL_FROM, SYSTEM_SMTP_URL } = settings();
  if (SYSTEM_MAIL_FROM) return SYSTEM_MAIL_FROM;
  const user = SYSTEM_SMTP_URL ? decodeURIComponent(new URL(SYSTEM_SMTP_URL).username) : "";
  if (user.includes("@")) return user;
  return `evenhand@${(SYSTEM_SMTP_URL && new URL(SYSTEM_SMTP_URL).hostname) || publicHost() || "localhost"}`;
}

/** Where Message-IDs of this installation come from. */
export const senderDomain = (): string =>
  (publicHost() || senderAddress().replace(/^.*@/, "")).replace(/[^\w.-]/g, "").toLowerCase();

function publicHost(): string {
  const { PUBLIC_URL } = settings();
  return PUBLIC_URL ? new URL(PUBLIC_URL).hostname : "";
}
