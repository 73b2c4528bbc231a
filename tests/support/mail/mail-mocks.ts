// The services that carry mail over HTTP, played on the network: what they were asked, and what they answer.
import { encrypt } from "@app/server/core/crypto";
import { tokenPlace } from "@app/server/features/mailboxes/mailbox-access.service";
import { EmailTokenModel } from "@app/server/features/mailboxes/mailboxes.model";
import { setEmailConnection } from "@app/server/features/users/email-connection.service";
import { type EmailPayload, emailPayloadSchema } from "@app/shared/mail-payload";
import { http, HttpResponse, passthrough } from "msw";
import { setupServer } from "msw/node";

export interface Asked {
  url: string;
  headers: Headers;
  /** The body as it came. */
  text: string;
}

type Answering = (asked: Asked) => Response | Promise<Response>;

export const EMAILJS_SETTINGS = {
  EMAILJS_PUBLIC_KEY: "public-key",
  EMAILJS_SERVICE_ID: "service_office",
  EMAILJS_TEMPLATE_ID: "template_plain",
  EMAILJS_HTML_TEMPLATE_ID: "template_html",
  EMAILJS_THROTTLE_MS: "0",
};

const accepted: Answering = () => new HttpResponse("OK");
const taken: Answering = () =>
  HttpResponse.json({ status: "Ok", submittedMessageId: "<a1@aurinko>", processingStatus: "Ok" }, { status: 201 });

/** Everything leaves by this network; what nobody plays is an error, save this machine. */
export function startMailNetwork() {
  const asked: Asked[] = [];
  const answers = { emailJs: accepted, aurinko: taken, gateway: accepted };
  const play = (name: keyof typeof answers) =>
    async function answer({ request }: { request: Request }) {
      const call = { url: request.url, headers: request.headers, text: await request.text() };
      asked.push(call);
      return answers[name](call);
    };
  const server = setupServer(
    http.all(/^http:\/\/(localhost|127\.0\.0\.1)/, () => passthrough()),
    http.post("https://api.emailjs.com/*", play("emailJs")),
    http.post("https://api.aurinko.io/*", play("aurinko")),
    // A mailbox that failed is looked at in the background.
    http.get("https://api.aurinko.io/v1/account", () => HttpResponse.json({ id: 7001, tokenStatus: "active" })),
    http.post("https://gateway.example.org/*", play("gateway")),
  );
  server.listen({ onUnhandledFrame: "error" });
  return {
    asked,
    answers,
    /** As it was at the start. */
    reset() {
      asked.length = 0;
      Object.assign(answers, { emailJs: accepted, aurinko: taken, gateway: accepted });
    },
    close: () => server.close(),
  };
}

/** Gives this person a mailbox at the other provider. */
export async function connectProvider(userId: string, email: string): Promise<void> {
  await EmailTokenModel.create([
    {
      _id: userId,
      account_id: "7001",
      access_enc: encrypt("aurinko-token", tokenPlace(userId)),
      service_type: "Google",
      email,
      scopes: ["Mail.Read", "Mail.Send"],
      created_at: new Date(),
    },
  ]);
  await setEmailConnection(userId, { serviceType: "Google", email, logins: [] });
}

/** A mail as a caller would send it. */
export const aPayload = (overrides: Partial<EmailPayload> = {}): EmailPayload =>
  emailPayloadSchema.parse({
    to_email: "priya@example.org",
    subject: "Your appointment",
    message: "Dear Priya, we meet on Monday.",
    to_name: "Priya Nandakumar",
    ...overrides,
  });
