// A server that talks, and refuses whoever signs in.
import { lasting, nameOf, passing, placeOf, portsOf, type Rule } from "./diagnosis-words.ts";

const tooMany: Rule = ({ responseCode, said, status }, attempt) =>
  ["LIMIT", "INUSE"].includes(responseCode) ||
  /too many|maximum number of connections|#AUTH005/i.test(said) ||
  (status === 421 && /connection/i.test(said))
    ? passing(
        `${nameOf(attempt)} allows no further connection to this mailbox at the moment.`,
        "Close mail on other devices, or wait a few minutes and try again. The password is not in doubt.",
      )
    : null;

const notNow: Rule = ({ isSignIn, responseCode, status, said }, attempt) =>
  (isSignIn && (responseCode === "UNAVAILABLE" || status === 454)) ||
  /temporary (authentication|server) (failure|error)|try again later/i.test(said)
    ? passing(`${nameOf(attempt)} cannot check passwords at the moment.`, "Try again in a few minutes.")
    : null;

const signInOnly: Rule = ({ isSignIn, said }, attempt) =>
  (isSignIn && attempt.provider?.signIn === "Office365") ||
  /5\.7\.139|5\.7\.30|basic ?auth|SmtpClientAuthentication/i.test(said)
    ? lasting(
        "Microsoft takes no password from other programs.",
        "Connect by signing in at Microsoft instead. Where that is not offered above, whoever runs this installation has to set it up, or your administrator at Microsoft has to allow passwords for this mailbox.",
        "email",
      )
    : null;

const switchedOff: Rule = ({ said }, attempt) =>
  /not enabled for imap|imap (access )?(is )?(disabled|not (enabled|active|activated))|enable (your account for )?imap|not allowed to use imap/i.test(
    said,
  )
    ? lasting(
        `${nameOf(attempt)} has access by other mail programs switched off for this mailbox.`,
        "Open the mail settings there, switch on “IMAP”, and try again.",
        "email",
      )
    : null;

const blocked: Rule = ({ said, responseCode }) =>
  /web ?browser|WEBALERT|suspicious|unusual (sign|activity)|verify your (account|identity)|account (is |has been )?(locked|disabled|suspended|blocked)/i.test(
    `${responseCode} ${said}`,
  )
    ? lasting(
        "The provider stopped the sign-in and wants to hear from you first.",
        "Sign in to this mailbox on the provider’s own web page, answer what it asks, and try again here.",
        "email",
      )
    : null;

const appPassword: Rule = ({ said, isSignIn }, attempt) => {
  const isSaid = /app(lication)?[- ]?(specific )?password|InvalidSecondFactor|5\.7\.9\b/i.test(said);
  const isKnown = isSignIn && attempt.provider?.advice?.urlLabel.startsWith("Make an app password");
  if (!isSaid && !isKnown) return null;
  return lasting(
    `${nameOf(attempt)} did not accept this password.`,
    "It wants an app password here, not the one you sign in with: make one on its account page, then enter it without spaces.",
    "password",
  );
};

const noSignIn: Rule = ({ message, said }, attempt) =>
  /login is disabled|no (supported|suitable) auth|missing credentials|unsupported (auth|mechanism)|mechanism not|5\.7\.4\b/i.test(
    `${message} ${said}`,
  )
    ? lasting(
        `${placeOf(attempt)} offers no sign-in with a password.`,
        `Try port ${portsOf(attempt).tls} with “Encrypted from the start”, or ask whoever runs the mailbox for the right port.`,
        "port",
      )
    : null;

const wrongPassword: Rule = ({ isSignIn }, attempt) =>
  isSignIn
    ? lasting(
        `${nameOf(attempt)} did not accept this user name and password.`,
        "Type the password again. If it is right, the user name may be another one than the address: look under Server settings. Some providers want an app password for other programs.",
        "password",
      )
    : null;

// What a server says of itself counts for more than the bare fact that it refused.
export const SIGN_IN_RULES: readonly Rule[] = [
  tooMany,
  notNow,
  signInOnly,
  switchedOff,
  blocked,
  appPassword,
  noSignIn,
  wrongPassword,
];
