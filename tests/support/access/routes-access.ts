import { newId } from "@app/server/core/ids";
import type { RawRoute } from "@app/server/core/raw-route";
import { RAW_ROUTES } from "@app/server/raw-routes";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { Door, Route, Target } from "./door.ts";
import { mailPlace } from "./inbox-access.ts";

const upload = ({ clientId }: Target) =>
  encodeURIComponent(
    JSON.stringify({ id: newId(), clientId, caseId: null, name: "new.txt", visibility: PRACTICE_ONLY }),
  );

const PERIOD = "from=2026-01-01&to=2026-12-31";
const importUpload = () => encodeURIComponent(JSON.stringify({ id: newId(), kind: "clients", name: "new.csv" }));

/** The method of a route is in its name, and what it takes in the server's table. */
type RouteDoor = Omit<Door, "route"> & { route: Omit<Route, "method" | "contentType"> & { contentType?: string } };

/** A way to take something out, at an address. */
const download = (permission: Door["permission"], address: Route["address"]): RouteDoor => ({
  access: "subscribed",
  ...(permission === undefined ? {} : { permission }),
  route: { address },
  stranger: "missing",
});

/** Many records at once, or all of one person. */
const exported = (...door: Parameters<typeof download>): RouteDoor => ({ ...download(...door), asksAgain: true });

const FORM_BOUNDARY = "----form";
const gateway = (path: string, permission: Door["permission"], message: object): RouteDoor => ({
  access: "subscribed",
  takesToken: true,
  ...(permission === undefined ? {} : { permission }),
  route: {
    address: () => path,
    body: ({ ownerId }) => JSON.stringify({ userId: ownerId, ...message }),
  },
  stranger: "forbidden",
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

/** Open to everybody: a secret in the address, or a signature, stands for the person. */
const open = (route: RouteDoor["route"], passedGatesWith?: string): RouteDoor => ({
  access: "public",
  route,
  stranger: "own",
  ...(passedGatesWith === undefined ? {} : { passedGatesWith }),
});
const TOKEN = "t".repeat(43);

const formUpload = encodeURIComponent(
  JSON.stringify({ formId: TOKEN, userId: TOKEN, id: "new", fieldId: "papers", name: "new.txt" }),
);

/** What is asked of each route of the server's table, and who may; one that is not here does not compile. */
const ROUTE_DOORS: Record<keyof typeof RAW_ROUTES, RouteDoor> = {
  "GET /health": open({ address: () => "/health" }),
  "GET /ready": open({ address: () => "/ready" }),
  "POST /webhooks/stripe": open(
    { address: () => "/webhooks/stripe", body: "{}" },
    // No card payment provider is set up.
    "503",
  ),
  "GET /u/:token": open({ address: () => `/u/${TOKEN}` }, "404"),
  "POST /u/:token": open(
    { address: () => `/u/${TOKEN}`, body: "", contentType: "application/x-www-form-urlencoded" },
    "404",
  ),
  "GET /pay/:token": open({ address: () => `/pay/${TOKEN}` }),
  "GET /payment-receipts": open({ address: () => `/payment-receipts?r=${TOKEN}` }, "NOT_FOUND"),
  "GET /export/receipts/:id.pdf": download(
    ["clients.read", "payments.read"],
    ({ paymentId }) => `/export/receipts/${paymentId}.pdf`,
  ),
  "GET /signing-documents": open({ address: () => `/signing-documents?token=${TOKEN}` }, "NOT_FOUND"),
  "GET /ical/:token.ics": open({ address: () => `/ical/${TOKEN}.ics` }, "NOT_FOUND"),

  "GET /export/clients.csv": {
    ...exported(["clients.read", "data.export"], () => "/export/clients.csv"),
    stranger: "own",
  },
  "GET /export/contacts.csv": {
    ...exported(["clients.read", "data.export"], () => "/export/contacts.csv"),
    stranger: "own",
  },
  "GET /export/leads.csv": {
    ...exported(["clients.read", "data.export"], () => "/export/leads.csv"),
    access: "owner",
    stranger: "own",
  },
  "GET /export/leads.xlsx": {
    ...exported(["clients.read", "data.export"], () => "/export/leads.xlsx"),
    access: "owner",
    stranger: "own",
  },
  "GET /export/clients/:id.pdf": exported("clients.read", ({ clientId }) => `/export/clients/${clientId}.pdf`),
  "GET /export/certificates/:id.pdf": download(
    "clients.read",
    ({ certificateId }) => `/export/certificates/${certificateId}.pdf`,
  ),
  "GET /export/invoices/:id.pdf": download(
    ["clients.read", "payments.read"],
    ({ invoiceId }) => `/export/invoices/${invoiceId}.pdf`,
  ),
  "GET /export/credit-notes/:id.pdf": download(
    ["clients.read", "payments.read"],
    ({ creditNoteId }) => `/export/credit-notes/${creditNoteId}.pdf`,
  ),
  "GET /export/invoices.csv": {
    ...exported(["clients.read", "payments.read", "data.export"], () => "/export/invoices.csv"),
    stranger: "own",
  },
  "GET /export/invoices.xlsx": {
    ...exported(["clients.read", "payments.read", "data.export"], () => "/export/invoices.xlsx"),
    stranger: "own",
  },
  "GET /export/payments.csv": {
    ...exported(["clients.read", "payments.read", "data.export"], () => `/export/payments.csv?${PERIOD}`),
    stranger: "own",
  },
  "GET /export/payments.xlsx": {
    ...exported(["clients.read", "payments.read", "data.export"], () => `/export/payments.xlsx?${PERIOD}`),
    stranger: "own",
  },
  "GET /export/ledger.csv": {
    ...exported(["clients.read", "payments.read", "reports.read", "data.export"], () => `/export/ledger.csv?${PERIOD}`),
    stranger: "own",
  },
  "GET /export/ledger.xlsx": {
    ...exported(
      ["clients.read", "payments.read", "reports.read", "data.export"],
      () => `/export/ledger.xlsx?${PERIOD}`,
    ),
    stranger: "own",
  },
  "GET /export/court-packs/:id.pdf": {
    ...exported(["clients.read", "documents.manage"], ({ caseId }) => `/export/court-packs/${caseId}.pdf`),
    // Nothing in it is open.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "GET /export/submissions/:id.pdf": exported(
    "clients.read",
    ({ submissionId }) => `/export/submissions/${submissionId}.pdf`,
  ),
  "GET /export/form-answers.csv": exported(
    ["clients.read", "data.export"],
    ({ publishedFormId }) => `/export/form-answers.csv?formId=${publishedFormId}`,
  ),
  "GET /export/form-answers.xlsx": exported(
    ["clients.read", "data.export"],
    ({ publishedFormId }) => `/export/form-answers.xlsx?formId=${publishedFormId}`,
  ),
  "GET /export/imports/:id.csv": exported(
    ["clients.read", "data.export"],
    ({ importId }) => `/export/imports/${importId}.csv`,
  ),
  "GET /export/imports/:id/rows.csv": exported(
    ["clients.read", "data.export"],
    ({ importId }) => `/export/imports/${importId}/rows.csv`,
  ),
  "GET /export/mailings/:id.csv": exported(
    ["clients.read", "mail.send", "data.export"],
    ({ mailingId }) => `/export/mailings/${mailingId}.csv`,
  ),
  "GET /export/mail/message": {
    ...download(
      ["clients.read", "mail.read"],
      (target) => `/export/mail/message?place=${encodeURIComponent(JSON.stringify(mailPlace(target)))}`,
    ),
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "GET /export/mail/attachment": {
    ...download(
      ["clients.read", "mail.read"],
      (target) =>
        `/export/mail/attachment?place=${encodeURIComponent(JSON.stringify({ ...mailPlace(target), part: "2" }))}`,
    ),
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "POST /form-files": open(
    {
      address: () => `/form-files?upload=${formUpload}`,
      body: "What was said",
      contentType: "application/octet-stream",
    },
    "NOT_FOUND",
  ),
  "GET /form-files/:id": download("clients.read", ({ formFileId }) => `/form-files/${formFileId}`),
  "POST /form-pictures": {
    access: "subscribed",
    permission: "forms.manage",
    route: {
      address: () => `/form-pictures?upload=${encodeURIComponent(JSON.stringify({ id: newId(), name: "new.jpg" }))}`,
      body: "no picture",
    },
    stranger: "own",
    passedGatesWith: "BAD_REQUEST",
  },
  "POST /document-pictures": {
    access: "subscribed",
    permission: ["clients.read", "documents.manage"],
    route: {
      address: ({ markedDocumentId }) =>
        `/document-pictures?upload=${encodeURIComponent(JSON.stringify({ id: newId(), textId: markedDocumentId, name: "new.png" }))}`,
      body: "no picture",
    },
    stranger: "missing",
    passedGatesWith: "BAD_REQUEST",
  },
  "GET /document-pictures/:textId/:id": download(
    "clients.read",
    ({ documentId, documentPictureId }) => `/document-pictures/${documentId}/${documentPictureId}`,
  ),
  "GET /export/documents/:id.docx": download(
    ["clients.read", "documents.manage"],
    ({ documentId }) => `/export/documents/${documentId}.docx`,
  ),
  "GET /export/documents/:id.pdf": download(
    ["clients.read", "documents.manage"],
    ({ documentId }) => `/export/documents/${documentId}.pdf`,
  ),
  "POST /word-imports": {
    access: "subscribed",
    permission: ["clients.read", "documents.manage"],
    route: {
      address: ({ markedDocumentId }) =>
        `/word-imports?upload=${encodeURIComponent(JSON.stringify({ id: newId(), textId: markedDocumentId, name: "new.docx" }))}`,
      body: "no document",
    },
    stranger: "missing",
    passedGatesWith: "BAD_REQUEST",
  },
  "POST /practice-logo": {
    access: "owner",
    route: {
      address: () => `/practice-logo?upload=${encodeURIComponent(JSON.stringify({ id: newId(), name: "new.png" }))}`,
      body: "no picture",
    },
    stranger: "own",
    passedGatesWith: "BAD_REQUEST",
  },
  "GET /practice-logo/:id": download("clients.read", ({ logoId }) => `/practice-logo/${logoId}`),
  "GET /form-receipts": open({ address: () => `/form-receipts?receipt=${TOKEN}` }, "NOT_FOUND"),
  "GET /form-pictures/:id": open({ address: () => `/form-pictures/${TOKEN}` }, "NOT_FOUND"),
  "GET /files/:id": download("clients.read", ({ fileId }) => `/files/${fileId}`),

  "POST /imports": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "data.export"],
    route: {
      address: () => `/imports?upload=${importUpload()}`,
      body: "Surname\nEllery\n",
    },
    stranger: "own",
  },
  "POST /bank-statements": {
    access: "subscribed",
    permission: ["clients.read", "payments.read", "payments.manage"],
    route: {
      address: () =>
        `/bank-statements?upload=${encodeURIComponent(JSON.stringify({ id: newId(), name: "new.csv", columns: null, dateOrder: null }))}`,
      body: "Date,Description,Amount\n2026-01-05,Ellery,1.00\n",
    },
    stranger: "own",
  },
  "POST /files": {
    access: "subscribed",
    permission: ["clients.read", "documents.manage"],
    route: { address: (target) => `/files?upload=${upload(target)}`, body: "What was said" },
    stranger: "missing",
  },
  "POST /functions/imap-send": gateway("/functions/imap-send", "mail.send", aMessage),
  "POST /functions/provider-send": gateway("/functions/provider-send", "mail.send", aMessage),
  "POST /functions/imap-fetch": gateway("/functions/imap-fetch", "mail.read", {}),
  "POST /functions/send-form": {
    access: "subscribed",
    permission: "mail.send",
    route: {
      address: () => "/functions/send-form",
      contentType: `multipart/form-data; boundary=${FORM_BOUNDARY}`,
      body: `--${FORM_BOUNDARY}\r\ncontent-disposition: form-data; name="message"\r\n\r\nHello\r\n--${FORM_BOUNDARY}--\r\n`,
    },
    stranger: "own",
    // No fallback service is set up.
    passedGatesWith: "BAD_GATEWAY",
  },
};

const RAW: Record<string, RawRoute> = RAW_ROUTES;
const takenBy = (route?: RawRoute) => (route && "takes" in route && route.takes) || "application/json";

/** Every route outside the router, by method and pattern. */
export const ROUTES: Record<string, Door> = Object.fromEntries(
  Object.entries(ROUTE_DOORS).map(([name, door]) => {
    const [method = ""] = name.split(" ");
    return [name, { ...door, route: { method, contentType: takenBy(RAW[name]), ...door.route } }];
  }),
);
