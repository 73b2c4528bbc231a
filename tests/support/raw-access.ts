import type { Permission } from "@app/shared/access";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { Target } from "./access-fixture.ts";
import { mailPlace } from "./inbox-access.ts";

/** A route outside the router: its address, and who may come to it. */
export interface RawFixture {
  method: "GET" | "POST";
  permissions: Permission[];
  address: (target: Target) => string;
  body?: string | ((target: Target) => string);
  /** Of the body; the bytes of a file where left out. */
  contentType?: string;
  stranger: "missing" | "own" | "forbidden";
  /** What the owner gets; OK where left out. */
  passedGatesWith?: string;
}

const upload = ({ clientId }: Target) =>
  encodeURIComponent(JSON.stringify({ clientId, caseId: null, name: "new.txt", visibility: PRACTICE_ONLY }));

const FORM_BOUNDARY = "----form";
const fromOwner = (message: object) => ({
  method: "POST" as const,
  contentType: "application/json",
  body: ({ ownerId }: Target) => JSON.stringify({ userId: ownerId, ...message }),
  stranger: "forbidden" as const,
  // The practice has connected no mailbox.
  passedGatesWith: "NOT_FOUND",
});
const aMessage = {
  message: {
    from: { address: "ines@example.org" },
    to: [{ address: "priya@example.org" }],
    subject: "Hello",
    body: "Hello",
  },
};

/** Every route of a `*.http.ts` that is not open to the public. */
export const RAW_ACCESS: Record<string, RawFixture> = {
  "GET /export/clients.csv": {
    method: "GET",
    permissions: ["clients.read", "data.export"],
    address: () => "/export/clients.csv",
    stranger: "own",
  },
  "GET /export/contacts.csv": {
    method: "GET",
    permissions: ["clients.read", "data.export"],
    address: () => "/export/contacts.csv",
    stranger: "own",
  },
  "GET /export/clients/:id.pdf": {
    method: "GET",
    permissions: ["clients.read"],
    address: ({ clientId }) => `/export/clients/${clientId}.pdf`,
    stranger: "missing",
  },
  "GET /export/certificates/:id.pdf": {
    method: "GET",
    permissions: ["clients.read"],
    address: ({ certificateId }) => `/export/certificates/${certificateId}.pdf`,
    stranger: "missing",
  },
  "GET /export/imports/:id.csv": {
    method: "GET",
    permissions: ["data.export"],
    address: ({ importId }) => `/export/imports/${importId}.csv`,
    stranger: "missing",
  },
  "GET /export/imports/:id/rows.csv": {
    method: "GET",
    permissions: ["data.export"],
    address: ({ importId }) => `/export/imports/${importId}/rows.csv`,
    stranger: "missing",
  },
  "GET /export/mailings/:id.csv": {
    method: "GET",
    permissions: ["mail.send", "data.export"],
    address: ({ mailingId }) => `/export/mailings/${mailingId}.csv`,
    stranger: "missing",
  },
  "POST /imports": {
    method: "POST",
    permissions: ["clients.write", "data.export"],
    address: () => `/imports?upload=${encodeURIComponent(JSON.stringify({ kind: "clients", name: "new.csv" }))}`,
    body: "Surname\nEllery\n",
    stranger: "own",
  },
  "POST /files": {
    method: "POST",
    permissions: ["clients.read", "documents.manage"],
    address: (target) => `/files?upload=${upload(target)}`,
    body: "What was said",
    stranger: "missing",
  },
  "POST /functions/imap-send": {
    ...fromOwner(aMessage),
    permissions: ["mail.send"],
    address: () => "/functions/imap-send",
  },
  "POST /functions/provider-send": {
    ...fromOwner(aMessage),
    permissions: ["mail.send"],
    address: () => "/functions/provider-send",
  },
  "POST /functions/imap-fetch": {
    ...fromOwner({}),
    permissions: ["mail.read"],
    address: () => "/functions/imap-fetch",
  },
  "POST /functions/send-form": {
    method: "POST",
    contentType: `multipart/form-data; boundary=${FORM_BOUNDARY}`,
    body: `--${FORM_BOUNDARY}\r\ncontent-disposition: form-data; name="message"\r\n\r\nHello\r\n--${FORM_BOUNDARY}--\r\n`,
    permissions: ["mail.send"],
    address: () => "/functions/send-form",
    stranger: "own",
    // No fallback service is set up.
    passedGatesWith: "BAD_GATEWAY",
  },
  "GET /export/mail/message": {
    method: "GET",
    permissions: ["mail.read"],
    address: (target) => `/export/mail/message?place=${encodeURIComponent(JSON.stringify(mailPlace(target)))}`,
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "GET /export/mail/attachment": {
    method: "GET",
    permissions: ["mail.read"],
    address: (target) =>
      `/export/mail/attachment?place=${encodeURIComponent(JSON.stringify({ ...mailPlace(target), part: "2" }))}`,
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "GET /files/:id": {
    method: "GET",
    permissions: ["clients.read"],
    address: ({ fileId }) => `/files/${fileId}`,
    stranger: "missing",
  },
};
