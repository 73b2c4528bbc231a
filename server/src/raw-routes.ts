import type { RawRoute, RouteName } from "./core/raw-route.ts";
import { stripeWebhook } from "./core/stripe-webhook.http.ts";
import { bankStatementUpload } from "./features/bank-statements/bank-statements.http.ts";
import { certificatePdf } from "./features/certificates/certificate-pdf.http.ts";
import { courtPack } from "./features/court-packs/court-pack.http.ts";
import { clientsExport } from "./features/clients/clients-export.http.ts";
import { contactsExport } from "./features/contacts/contacts-export.http.ts";
import { documentPicture, documentPictureUpload } from "./features/documents/document-pictures.http.ts";
import { draftPdf } from "./features/documents/draft-pdf.http.ts";
import { documentInWord } from "./features/documents/word/word-export.http.ts";
import { wordUpload } from "./features/documents/word/word-imports.http.ts";
import { fileDownload, fileUpload } from "./features/files/files.http.ts";
import { importReport, importUpload, rowsLeftOut } from "./features/imports/imports.http.ts";
import { creditNotePdf, invoicePdf } from "./features/invoices/invoice-pdf.http.ts";
import { invoicesExport, invoicesWorkbook } from "./features/invoices/invoices-export.http.ts";
import { ledgerExport, ledgerWorkbook } from "./features/invoices/ledger-export.http.ts";
import { mailAttachment, mailFrame } from "./features/inbox/inbox.http.ts";
import { imapFetch, imapSend, providerSend, formSend } from "./features/mail-gateway/functions.http.ts";
import { leadsExport, leadsWorkbook } from "./features/leads/leads-export.http.ts";
import { logo, logoUpload } from "./features/letterheads/letterheads.http.ts";
import { mailingFailures } from "./features/mailings/mailings.http.ts";
import { askToUnsubscribe, unsubscribe } from "./features/mailings/unsubscribe.http.ts";
import { calendarFeed } from "./features/meetings/feed.http.ts";
import { paymentsExport, paymentsWorkbook } from "./features/payments/payments-export.http.ts";
import { payLink } from "./features/payments/paying.http.ts";
import { payerReceipt, receiptOfPayment } from "./features/payments/receipt-pdf.http.ts";
import { clientRecord } from "./features/party-view/client-record.http.ts";
import { answersExport, answersWorkbook } from "./features/submissions/answers-export.http.ts";
import { formPicture, formPictureUpload } from "./features/forms/form-pictures.http.ts";
import { formFileDownload, formFileUpload } from "./features/submissions/form-files.http.ts";
import { receiptPdf } from "./features/submissions/receipt-pdf.http.ts";
import { submissionPdf } from "./features/submissions/submission-pdf.http.ts";
import { signedDocument } from "./features/signatures/signed-document.http.ts";
import { health, readiness } from "./health.http.ts";

/** Every way into the server outside the router: it answers to these, and the tests of access try each of them. */
export const RAW_ROUTES = {
  "GET /health": health,
  "GET /ready": readiness,
  "POST /webhooks/stripe": stripeWebhook,
  "GET /u/:token": askToUnsubscribe,
  // Mail programs unsubscribe by themselves, from no page of ours (RFC 8058).
  "POST /u/:token": unsubscribe,
  "GET /ical/:token.ics": calendarFeed,
  "GET /pay/:token": payLink,
  "GET /payment-receipts": payerReceipt,

  "POST /files": fileUpload,
  "GET /files/:id": fileDownload,
  "POST /form-files": formFileUpload,
  "GET /form-files/:id": formFileDownload,
  "GET /form-receipts": receiptPdf,
  "GET /signing-documents": signedDocument,
  "POST /form-pictures": formPictureUpload,
  "GET /form-pictures/:id": formPicture,
  "POST /document-pictures": documentPictureUpload,
  "GET /document-pictures/:textId/:id": documentPicture,
  "POST /word-imports": wordUpload,
  "POST /practice-logo": logoUpload,
  "GET /practice-logo/:id": logo,
  "POST /imports": importUpload,
  "POST /bank-statements": bankStatementUpload,

  "GET /export/clients.csv": clientsExport,
  "GET /export/contacts.csv": contactsExport,
  "GET /export/leads.csv": leadsExport,
  "GET /export/leads.xlsx": leadsWorkbook,
  "GET /export/clients/:id.pdf": clientRecord,
  "GET /export/certificates/:id.pdf": certificatePdf,
  "GET /export/invoices.csv": invoicesExport,
  "GET /export/invoices.xlsx": invoicesWorkbook,
  "GET /export/payments.csv": paymentsExport,
  "GET /export/payments.xlsx": paymentsWorkbook,
  "GET /export/ledger.csv": ledgerExport,
  "GET /export/ledger.xlsx": ledgerWorkbook,
  "GET /export/invoices/:id.pdf": invoicePdf,
  "GET /export/credit-notes/:id.pdf": creditNotePdf,
  "GET /export/documents/:id.docx": documentInWord,
  "GET /export/documents/:id.pdf": draftPdf,
  "GET /export/court-packs/:id.pdf": courtPack,
  "GET /export/form-answers.csv": answersExport,
  "GET /export/form-answers.xlsx": answersWorkbook,
  "GET /export/submissions/:id.pdf": submissionPdf,
  "GET /export/receipts/:id.pdf": receiptOfPayment,
  "GET /export/imports/:id.csv": importReport,
  "GET /export/imports/:id/rows.csv": rowsLeftOut,
  "GET /export/mailings/:id.csv": mailingFailures,
  "GET /export/mail/message": mailFrame,
  "GET /export/mail/attachment": mailAttachment,

  "POST /functions/imap-send": imapSend,
  "POST /functions/imap-fetch": imapFetch,
  "POST /functions/provider-send": providerSend,
  "POST /functions/send-form": formSend,
} satisfies Record<RouteName, RawRoute>;
