// Mail providers whose servers are known, so that their people need no network search: domains, servers, and what one
// has to know there. What changes is the data; nothing else in the product names a provider's server.
import type { MailAdvice, MailSignIn } from "@app/shared/mailboxes";

interface Place {
  host: string;
  port: number;
  secure: boolean;
}

export interface MailProvider {
  name: string;
  domains: readonly string[];
  /** How the names of the servers end that take mail for domains of one's own there. */
  mx: readonly string[];
  /** None where no other program may read mail there. */
  servers: { imap: Place; smtp: Place } | null;
  /** Puts what is submitted into Sent by itself. */
  savesSent?: true;
  /** By what name it says of every mail that comes in whether its sender is proved (RFC 8601, authserv-id). */
  stampsAs?: string;
  /** Whence its own reports of undelivered mail come. */
  reportsFrom?: readonly string[];
  advice?: MailAdvice;
  signIn?: MailSignIn;
}

const tls = (host: string, port: number): Place => ({ host, port, secure: true });
const upgraded = (host: string): Place => ({ host, port: 587, secure: false });
const servers = (imap: string, smtp: string) => ({ imap: tls(imap, 993), smtp: tls(smtp, 465) });
const serversUpgraded = (imap: string, smtp: string) => ({ imap: tls(imap, 993), smtp: upgraded(smtp) });

const appPassword = (name: string, url: string, first = ""): MailAdvice => ({
  text: `${name} takes no ordinary password here. ${first}Make an app password there and enter it below.`,
  url,
  urlLabel: `Make an app password at ${name}`,
});
const switchedOn = (name: string, url: string): MailAdvice => ({
  text: `At ${name} access by other mail programs is off until you switch it on in your mail settings there.`,
  url,
  urlLabel: `Open the mail settings of ${name}`,
});

export const MAIL_PROVIDERS: readonly MailProvider[] = [
  {
    name: "Gmail",
    domains: ["gmail.com", "googlemail.com"],
    mx: ["google.com", "googlemail.com"],
    servers: servers("imap.gmail.com", "smtp.gmail.com"),
    savesSent: true,
    stampsAs: "mx.google.com",
    reportsFrom: ["googlemail.com", "google.com"],
    advice: appPassword(
      "Google",
      "https://myaccount.google.com/apppasswords",
      "Switch on 2-Step Verification in your Google account first. ",
    ),
  },
  {
    name: "Microsoft",
    domains:
      "outlook.com outlook.co.uk outlook.ie hotmail.com hotmail.co.uk hotmail.fr hotmail.de live.com live.co.uk live.ie msn.com windowslive.com".split(
        " ",
      ),
    mx: ["protection.outlook.com", "mx.microsoft"],
    servers: serversUpgraded("outlook.office365.com", "smtp.office365.com"),
    savesSent: true,
    signIn: "Office365",
    advice: {
      text: "Microsoft no longer lets other programs sign in with a password. Connect by signing in at Microsoft.",
      url: "https://support.microsoft.com/office/modern-authentication-methods-now-needed-to-continue-syncing-outlook-email-in-non-microsoft-email-apps-c5d65390-9676-4763-b41f-d7986499a90d",
      urlLabel: "Read what Microsoft says about it",
    },
  },
  {
    name: "Yahoo",
    domains: ["yahoo.com", "yahoo.co.uk", "yahoo.ie", "yahoo.fr", "yahoo.de", "ymail.com", "rocketmail.com"],
    mx: ["yahoodns.net"],
    servers: servers("imap.mail.yahoo.com", "smtp.mail.yahoo.com"),
    savesSent: true,
    advice: appPassword("Yahoo", "https://login.yahoo.com/account/security"),
  },
  {
    name: "AOL",
    domains: ["aol.com", "aol.co.uk", "aim.com"],
    mx: [],
    servers: servers("imap.aol.com", "smtp.aol.com"),
    savesSent: true,
    advice: appPassword("AOL", "https://login.aol.com/account/security"),
  },
  {
    name: "Sky",
    domains: ["sky.com"],
    mx: [],
    servers: servers("imap.tools.sky.com", "smtp.tools.sky.com"),
    advice: appPassword("Sky", "https://skyid.sky.com/"),
  },
  {
    name: "iCloud",
    domains: ["icloud.com", "me.com", "mac.com"],
    mx: ["mail.icloud.com"],
    servers: serversUpgraded("imap.mail.me.com", "smtp.mail.me.com"),
    stampsAs: "dmarc.icloud.com",
    advice: appPassword("Apple", "https://account.apple.com/account/manage"),
  },
  {
    name: "Fastmail",
    domains: ["fastmail.com", "fastmail.co.uk", "fastmail.fm", "sent.com"],
    mx: ["messagingengine.com"],
    servers: servers("imap.fastmail.com", "smtp.fastmail.com"),
    advice: appPassword("Fastmail", "https://app.fastmail.com/settings/security/integrations"),
  },
  {
    name: "Proton Mail",
    domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
    mx: ["protonmail.ch"],
    servers: null,
    advice: {
      text: "Proton Mail opens to other programs only through Proton Bridge, which runs on your own computer. It can be used here only where this installation runs on that computer too: enter the server and the password that Bridge shows.",
      url: "https://proton.me/mail/bridge",
      urlLabel: "Read about Proton Bridge",
    },
  },
  {
    name: "Tuta",
    domains: ["tuta.com", "tuta.io", "tutanota.com", "tutanota.de", "tutamail.com", "keemail.me"],
    mx: ["tutanota.de"],
    servers: null,
    advice: {
      text: "Tuta opens to no other program, so a Tuta mailbox cannot be connected. Use an address of another provider.",
      url: "https://tuta.com/support",
      urlLabel: "Read what Tuta says about it",
    },
  },
  {
    name: "Zoho Mail",
    domains: ["zoho.com", "zohomail.com"],
    mx: ["zoho.com"],
    servers: servers("imap.zoho.com", "smtp.zoho.com"),
    savesSent: true,
    advice: switchedOn("Zoho Mail", "https://mail.zoho.com/zm/#settings/all/mailaccounts"),
  },
  {
    name: "Zoho Mail",
    domains: ["zoho.eu", "zohomail.eu"],
    mx: ["zoho.eu"],
    servers: servers("imap.zoho.eu", "smtp.zoho.eu"),
    savesSent: true,
    advice: switchedOn("Zoho Mail", "https://mail.zoho.eu/zm/#settings/all/mailaccounts"),
  },
  {
    name: "GMX",
    domains: ["gmx.com", "gmx.co.uk", "gmx.us"],
    mx: [],
    servers: serversUpgraded("imap.gmx.com", "mail.gmx.com"),
    advice: switchedOn("GMX", "https://www.gmx.com/"),
  },
  {
    name: "GMX",
    domains: ["gmx.net", "gmx.de", "gmx.at", "gmx.ch"],
    mx: [],
    servers: serversUpgraded("imap.gmx.net", "mail.gmx.net"),
    advice: switchedOn("GMX", "https://www.gmx.net/"),
  },
  {
    name: "WEB.DE",
    domains: ["web.de"],
    mx: [],
    servers: serversUpgraded("imap.web.de", "smtp.web.de"),
    advice: switchedOn("WEB.DE", "https://web.de/"),
  },
  {
    name: "mail.com",
    domains: ["mail.com", "email.com", "post.com", "consultant.com"],
    mx: [],
    servers: serversUpgraded("imap.mail.com", "smtp.mail.com"),
    advice: switchedOn("mail.com", "https://www.mail.com/"),
  },
  {
    name: "IONOS",
    domains: [],
    mx: ["ionos.co.uk", "1and1.co.uk"],
    servers: servers("imap.ionos.co.uk", "smtp.ionos.co.uk"),
  },
  {
    name: "IONOS",
    domains: ["online.de", "onlinehome.de"],
    mx: ["kundenserver.de", "ionos.de", "1und1.de"],
    servers: servers("imap.ionos.de", "smtp.ionos.de"),
  },
  {
    name: "IONOS",
    domains: [],
    mx: ["ionos.com", "1and1.com", "perfora.net"],
    servers: servers("imap.ionos.com", "smtp.ionos.com"),
  },
  {
    name: "BT",
    domains: ["btinternet.com", "btopenworld.com", "talk21.com", "bt.com"],
    mx: [],
    servers: servers("mail.btinternet.com", "mail.btinternet.com"),
  },
  {
    name: "Virgin Media",
    domains: ["virginmedia.com", "ntlworld.com", "blueyonder.co.uk", "virgin.net"],
    mx: [],
    servers: servers("imap.virginmedia.com", "smtp.virginmedia.com"),
    advice: appPassword("Virgin Media", "https://www.virginmedia.com/help/email"),
  },
  {
    name: "TalkTalk",
    domains: ["talktalk.net", "tiscali.co.uk"],
    mx: [],
    servers: serversUpgraded("mail.talktalk.net", "smtp.talktalk.net"),
  },
  {
    name: "Plusnet",
    domains: ["plus.net", "plus.com"],
    mx: ["plus.net"],
    servers: serversUpgraded("imap.plus.net", "relay.plus.net"),
  },
  {
    name: "Comcast",
    domains: ["comcast.net"],
    mx: [],
    servers: servers("imap.comcast.net", "smtp.comcast.net"),
  },
  {
    name: "AT&T",
    domains: ["att.net", "sbcglobal.net", "bellsouth.net"],
    mx: [],
    servers: servers("imap.mail.att.net", "smtp.mail.att.net"),
    advice: {
      text: "AT&T takes no ordinary password here. Make a secure mail key in your AT&T profile and enter it below.",
      url: "https://www.att.com/acctmgmt/",
      urlLabel: "Open your AT&T profile",
    },
  },
  {
    name: "GoDaddy",
    domains: [],
    mx: ["secureserver.net"],
    servers: servers("imap.secureserver.net", "smtpout.secureserver.net"),
  },
  {
    name: "Rackspace Email",
    domains: [],
    mx: ["emailsrvr.com"],
    servers: servers("secure.emailsrvr.com", "secure.emailsrvr.com"),
  },
  {
    name: "Private Email",
    domains: ["privateemail.com"],
    mx: ["privateemail.com"],
    servers: servers("mail.privateemail.com", "mail.privateemail.com"),
  },
  { name: "OVHcloud", domains: [], mx: ["ovh.net"], servers: servers("ssl0.ovh.net", "ssl0.ovh.net") },
  { name: "Gandi", domains: [], mx: ["gandi.net"], servers: servers("mail.gandi.net", "mail.gandi.net") },
  {
    name: "mailbox.org",
    domains: ["mailbox.org"],
    mx: ["mailbox.org"],
    servers: servers("imap.mailbox.org", "smtp.mailbox.org"),
  },
  { name: "Posteo", domains: ["posteo.de", "posteo.net"], mx: [], servers: servers("posteo.de", "posteo.de") },
  {
    name: "T-Online",
    domains: ["t-online.de", "magenta.de"],
    mx: ["t-online.de"],
    servers: servers("secureimap.t-online.de", "securesmtp.t-online.de"),
    advice: {
      text: "T-Online wants an email password of its own here. Make one in your customer centre and enter it below.",
      url: "https://www.telekom.de/kundencenter/startseite",
      urlLabel: "Open the customer centre",
    },
  },
  {
    name: "Orange",
    domains: ["orange.fr", "wanadoo.fr"],
    mx: [],
    servers: servers("imap.orange.fr", "smtp.orange.fr"),
  },
];

const ends = (host: string, suffix: string) => host === suffix || host.endsWith(`.${suffix}`);

/** The provider of a domain, or of the servers that take its mail. */
export const providerOfDomain = (domain: string): MailProvider | undefined =>
  MAIL_PROVIDERS.find(({ domains }) => domains.includes(domain));

export const providerOfMx = (exchanges: readonly string[]): MailProvider | undefined =>
  MAIL_PROVIDERS.find(({ mx }) => exchanges.some((host) => mx.some((suffix) => ends(host, suffix))));

/** The provider that runs this server. */
export const providerOfServer = (host: string): MailProvider | undefined =>
  MAIL_PROVIDERS.find(
    ({ servers: known }) => known && [known.imap.host, known.smtp.host].some((one) => one === host.toLowerCase()),
  );
