// A server that is not reached, does not encrypt as it should, or is none.
import { lasting, passing, placeOf, portsOf, type Rule, type Words } from "./diagnosis-words.ts";

const TIMEOUTS = ["ETIMEDOUT", "CONNECT_TIMEOUT", "GREETING_TIMEOUT", "UPGRADE_TIMEOUT", "TOO_SLOW"];
const UNREACHABLE = ["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EHOSTDOWN", "ENETDOWN"];
const CLOSED = ["ECONNRESET", "EPIPE", "ClosedAfterConnectText", "ClosedAfterConnectTLS", "ECONNECTION", "EClosed"];

export const refusedHost: Rule = ({ refusedHost: reason }) => ofSentences(reason, "host");

/** Nothing was asked of the mail server: there was no room, or nobody told its address. */
export const notAsked: Rule = ({ code, message }) => (code === "SERVICE_UNAVAILABLE" ? ofSentences(message, "") : null);

function ofSentences(text: string, field: Words["field"]): Words | null {
  const [what = "", ...whatToDo] = text.split(/(?<=\.) (?=[A-Z])/);
  return what ? passing(what, whatToDo.join(" "), field) : null;
}

const noEncryption: Rule = ({ message, code }, attempt) =>
  /not support STARTTLS|STARTTLS failed|error upgrading/i.test(message) ||
  (code === "ETLS" && !/certificate|altname/i.test(message))
    ? passing(
        `${placeOf(attempt)} offers no encryption, so the password was not sent.`,
        `Try port ${portsOf(attempt).tls} with “Encrypted from the start”. A server that never encrypts cannot be used.`,
        "secure",
      )
    : null;

const certificate: Rule = ({ code, message }, attempt) => {
  const is = (...words: string[]) => words.some((word) => code.includes(word) || message.toLowerCase().includes(word));
  if (is("altnames", "ERR_TLS_CERT_ALTNAME_INVALID")) {
    return lasting(
      `The certificate of ${attempt.host} is made out to another name, so it may not be your mail server.`,
      "Ask whoever runs the mailbox for the exact name of the server, and enter that name.",
      "host",
    );
  }
  if (is("CERT_HAS_EXPIRED", "certificate has expired")) {
    return lasting(
      `The certificate of ${attempt.host} has expired.`,
      "Nothing can be changed here: ask whoever runs the mail server to renew it, then try again.",
      "",
    );
  }
  if (is("SELF_SIGNED", "self-signed", "self signed", "unable to verify", "unable to get")) {
    return lasting(
      `The certificate of ${attempt.host} comes from nobody who is known, so it may not be your mail server.`,
      "If it is a server of your own, paste the certificate of its authority under Server settings. Otherwise ask whoever runs it.",
      "ca",
    );
  }
  return null;
};

const otherEncryption: Rule = ({ message, code }, attempt) => {
  if (/wrong version number|packet length too long|record layer|unknown protocol/i.test(message)) {
    return passing(
      `${placeOf(attempt)} does not begin encrypted.`,
      `Choose “Encrypted after the greeting”, or port ${portsOf(attempt).tls}.`,
      "secure",
    );
  }
  if (
    /unsupported protocol|handshake failure|no protocols available|tlsv1 alert|dh key too small/i.test(message) ||
    code === "EPROTO"
  ) {
    return lasting(
      `${attempt.host} knows only an old kind of encryption that is not safe any more.`,
      "Nothing can be changed here: ask whoever runs the mail server to renew its software.",
      "host",
    );
  }
  return null;
};

const beginsEncrypted: Rule = (_facts, attempt) =>
  attempt.found?.speaksTls && !attempt.secure
    ? passing(
        `${placeOf(attempt)} begins encrypted.`,
        `Choose “Encrypted from the start”, or port ${portsOf(attempt).upgraded}.`,
        "secure",
      )
    : null;

const otherService: Rule = ({ said, code }, attempt) => {
  const greeting = attempt.found?.greeting || (code === "EPROTOCOL" ? said : "");
  const other = attempt.side === "imap" ? "sends" : "receives";
  if (!greeting || /^\* BYE|^[45]\d\d/i.test(greeting)) return null;
  if (attempt.side === "imap" ? greeting.startsWith("220") : /^\* (OK|PREAUTH)/i.test(greeting)) {
    return passing(
      `${placeOf(attempt)} is the server that ${other} mail.`,
      "The two servers or their ports may be the wrong way round: look under Server settings.",
      "port",
    );
  }
  if (/^(\* (OK|PREAUTH)|220)/i.test(greeting)) return null;
  if (greeting.startsWith("+OK")) {
    return passing(
      `${placeOf(attempt)} offers an older way to fetch mail (POP3), which cannot be used here.`,
      `Try port ${portsOf(attempt).tls} with “Encrypted from the start”.`,
      "port",
    );
  }
  return passing(
    `There is no mail server at ${placeOf(attempt)}: something else answers there.`,
    `Check the name and the port; the usual port is ${portsOf(attempt).tls}.`,
    "host",
  );
};

const network: Rule = ({ code, message }, attempt) => {
  const is = (codes: readonly string[]) => codes.some((one) => code === one || message.includes(one));
  if (is(["ECONNREFUSED"])) {
    return passing(
      `Nothing answers at ${placeOf(attempt)}.`,
      `Check the name and the port; the usual port is ${portsOf(attempt).tls}. If they are right, the server may be off for the moment.`,
      "port",
    );
  }
  if (is(UNREACHABLE)) {
    return passing(
      `This installation cannot reach ${placeOf(attempt)}.`,
      "Check its network, and whether a firewall lets it out to that port.",
      "host",
    );
  }
  if (is(TIMEOUTS) || /timeout/i.test(message)) {
    return passing(
      `${placeOf(attempt)} does not answer.`,
      "Check the name and the port, and try again in a few minutes. A firewall between here and there may also swallow the connection.",
      "port",
    );
  }
  return null;
};

const slow: Rule = ({ code }, attempt) =>
  code === "READ_TOO_SLOW"
    ? passing(
        `${placeOf(attempt)} took too long to find what was asked for.`,
        "Try again in a minute. Very many or very large messages slow a mailbox down: move those that nobody needs to another folder.",
        "host",
      )
    : null;

const hungUp: Rule = ({ code, message, said, status }, attempt) =>
  CLOSED.includes(code) ||
  status === 421 ||
  /^\* BYE|^421/i.test(said) ||
  /unexpected close|socket hang up|closed unexpectedly/i.test(message)
    ? passing(
        `${placeOf(attempt)} closed the connection at once.`,
        "It may be overloaded, or it may refuse this installation: try again in a few minutes, then ask whoever runs the mailbox.",
        "host",
      )
    : null;

const TOO_LARGE = ["LineTooLarge", "LiteralTooLarge", "ResponseTooLarge"];

const endless: Rule = ({ code, message }, attempt) =>
  TOO_LARGE.includes(code) || (code === "EPROTOCOL" && /maximum allowed size/i.test(message))
    ? passing(
        `${placeOf(attempt)} sends more in one answer than a mail server has to.`,
        "Check the name of the server. If it is right, ask whoever runs the mailbox.",
        "host",
      )
    : null;

const misshapen: Rule = ({ code }, attempt) =>
  code === "NotUnderstood"
    ? passing(
        `${placeOf(attempt)} answers what no mail server answers.`,
        "Check the name of the server. If it is right, ask whoever runs the mailbox.",
        "host",
      )
    : null;

const tooMuch: Rule = ({ code }, attempt) =>
  code === "TooMuchToRead" || code === "LeftAlone"
    ? passing(
        `What ${placeOf(attempt)} answers takes too long to read, so this mailbox is left alone for a few minutes.`,
        "It is tried again after that. If it lasts, look there for a very large or odd message, or ask whoever runs the mailbox.",
      )
    : null;

// Not a word about their server: it is well.
const cutOff: Rule = ({ code }) =>
  code === "CutOff"
    ? passing(
        "Reading this mailbox was interrupted on this server.",
        "Nothing is wrong with it: try again in a moment.",
      )
    : null;

export const CONNECTION_RULES: readonly Rule[] = [
  cutOff,
  tooMuch,
  misshapen,
  certificate,
  noEncryption,
  otherEncryption,
  beginsEncrypted,
  otherService,
  endless,
  network,
  slow,
  hungUp,
];
