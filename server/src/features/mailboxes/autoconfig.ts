// The mail servers of a domain as its owner, or Mozilla's directory, publishes them: "autoconfig" XML.
import { XMLParser } from "fast-xml-parser";
import { z } from "zod";
import { cutText } from "@app/shared/cut-text";

export interface Place {
  host: string;
  port: number;
  secure: boolean;
  /** As published: the whole address, its part before the @, or something of its own. */
  user: string;
}

export interface Published {
  name: string;
  imap: Place;
  smtp: Place;
}

const NAME_MAX_LENGTH = 100;

const publishedServerSchema = z.object({
  "@type": z.string(),
  hostname: z.string(),
  port: z.coerce.number().int().min(1).max(65_535),
  socketType: z.string(),
  username: z.string().default("%EMAILADDRESS%"),
  authentication: z.union([z.string(), z.array(z.string())]).default("password-cleartext"),
});
type PublishedServer = z.infer<typeof publishedServerSchema>;

const configSchema = z.object({
  clientConfig: z.object({
    emailProvider: z.object({
      displayName: z.string().default(""),
      incomingServer: z.array(z.unknown()).default([]),
      outgoingServer: z.array(z.unknown()).default([]),
    }),
  }),
});

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  // What is published there by a stranger must not multiply itself.
  processEntities: false,
  isArray: (name) => ["incomingServer", "outgoingServer"].includes(name),
});

/** The encrypted servers that such a text names for an address; null where it names none that can be used. */
export function parseAutoconfig(xml: string, email: string): Published | null {
  const read = configSchema.safeParse(parsed(xml));
  if (!read.success) return null;
  const { displayName, incomingServer, outgoingServer } = read.data.clientConfig.emailProvider;
  const imap = bestOf(incomingServer, "imap", email);
  const smtp = bestOf(outgoingServer, "smtp", email);
  return imap && smtp ? { name: cutText(displayName.replaceAll("&amp;", "&"), NAME_MAX_LENGTH), imap, smtp } : null;
}

function parsed(xml: string): unknown {
  try {
    return parser.parse(xml);
  } catch {
    // Whatever a web server answers instead of such a text, the domain publishes nothing.
    return null;
  }
}

function bestOf(candidates: unknown[], type: string, email: string): Place | undefined {
  const usable = candidates
    .map((candidate) => publishedServerSchema.safeParse(candidate).data)
    .filter((server) => server !== undefined)
    .filter(
      (server) => server["@type"] === type && ["SSL", "STARTTLS"].includes(server.socketType) && takesPassword(server),
    );
  const best = usable.find(({ socketType }) => socketType === "SSL") ?? usable[0];
  if (!best) return undefined;
  const { hostname, port, socketType, username } = best;
  return { host: fill(hostname, email).toLowerCase(), port, secure: socketType === "SSL", user: fill(username, email) };
}

const takesPassword = ({ authentication }: PublishedServer) =>
  [authentication].flat().some((one) => ["password-cleartext", "plain", "password-encrypted", "secure"].includes(one));

function fill(text: string, email: string): string {
  const [local = "", domain = ""] = email.split("@");
  return text
    .replaceAll("%EMAILADDRESS%", email)
    .replaceAll("%EMAILLOCALPART%", local)
    .replaceAll("%EMAILDOMAIN%", domain)
    .trim();
}
