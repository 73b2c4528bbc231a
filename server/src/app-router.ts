import { mergeRouters, router } from "./core/trpc.ts";
import { assessmentsRouter } from "./features/assessments/assessments.router.ts";
import { accessRouter } from "./features/access/access.router.ts";
import { authRouter } from "./features/auth/auth.router.ts";
import { bookingsRouter } from "./features/bookings/bookings.router.ts";
import { casesRouter } from "./features/cases/cases.router.ts";
import { caseworkRouter } from "./features/casework/casework.router.ts";
import { certificatesRouter } from "./features/certificates/certificates.router.ts";
import { clientsRouter } from "./features/clients/clients.router.ts";
import { composeRouter } from "./features/compose/compose.router.ts";
import { courtPacksRouter } from "./features/court-packs/court-packs.router.ts";
import { conflictsRouter } from "./features/conflicts/conflicts.router.ts";
import { contactsRouter } from "./features/contacts/contacts.router.ts";
import { dashboardRouter } from "./features/dashboard/dashboard.router.ts";
import { filesRouter } from "./features/files/files.router.ts";
import { financesRouter } from "./features/finances/finances.router.ts";
import { formsRouter } from "./features/forms/forms.router.ts";
import { importsRouter } from "./features/imports/imports.router.ts";
import { inboxRouter } from "./features/inbox/inbox.router.ts";
import { intakeRouter } from "./features/intake/intake.router.ts";
import { fundingsRouter } from "./features/fundings/fundings.router.ts";
import { invoicesRouter } from "./features/invoices/invoices.router.ts";
import { laddersRouter } from "./features/ladders/ladders.router.ts";
import { ledgerRouter } from "./features/ledger/ledger.router.ts";
import { letterheadsRouter } from "./features/letterheads/letterheads.router.ts";
import { leadsRouter } from "./features/leads/leads.router.ts";
import { mailRouter } from "./features/mail/mail.router.ts";
import { documentsRouter } from "./features/documents/documents.router.ts";
import { documentTemplatesRouter } from "./features/documents/templates.router.ts";
import { mailTemplatesRouter } from "./features/mail-templates/mail-templates.router.ts";
import { mailboxesRouter } from "./features/mailboxes/mailboxes.router.ts";
import { mailingsRouter } from "./features/mailings/mailings.router.ts";
import { meetingsRouter } from "./features/meetings/meetings.router.ts";
import { notesRouter } from "./features/notes/notes.router.ts";
import { outboxRouter } from "./features/outbox/outbox.router.ts";
import { partyViewRouter } from "./features/party-view/party-view.router.ts";
import { paymentAccountsRouter } from "./features/payment-accounts/payment-accounts.router.ts";
import { paymentsRouter } from "./features/payments/payments.router.ts";
import { practicesRouter } from "./features/practices/practices.router.ts";
import { pricesRouter } from "./features/prices/prices.router.ts";
import { roomsRouter } from "./features/rooms/rooms.router.ts";
import { safeguardingRouter } from "./features/safeguarding/safeguarding.router.ts";
import { screeningsRouter } from "./features/screenings/screenings.router.ts";
import { searchRouter } from "./features/search/search.router.ts";
import { sessionsRouter } from "./features/sessions/sessions.router.ts";
import { signaturesRouter } from "./features/signatures/signatures.router.ts";
import { profileRouter } from "./features/staff/profile.router.ts";
import { staffRouter } from "./features/staff/staff.router.ts";
import { submissionsRouter } from "./features/submissions/submissions.router.ts";
import { subscriptionsRouter } from "./features/subscriptions/subscriptions.router.ts";
import { supportRouter } from "./features/support/support.router.ts";
import { suppressionsRouter } from "./features/suppressions/suppressions.router.ts";
import { tasksRouter } from "./features/tasks/tasks.router.ts";
import { timelineRouter } from "./features/timeline/timeline.router.ts";
import { usersRouter } from "./features/users/users.router.ts";

export const appRouter = router({
  access: accessRouter,
  auth: authRouter,
  bookings: bookingsRouter,
  cases: casesRouter,
  casework: caseworkRouter,
  assessments: assessmentsRouter,
  certificates: certificatesRouter,
  clients: clientsRouter,
  compose: composeRouter,
  conflicts: conflictsRouter,
  contacts: contactsRouter,
  dashboard: dashboardRouter,
  files: filesRouter,
  forms: formsRouter,
  imports: importsRouter,
  inbox: inboxRouter,
  intake: intakeRouter,
  fundings: fundingsRouter,
  invoices: invoicesRouter,
  ladders: laddersRouter,
  leads: leadsRouter,
  ledger: ledgerRouter,
  letterheads: letterheadsRouter,
  mail: mailRouter,
  courtPacks: courtPacksRouter,
  documents: documentsRouter,
  finances: financesRouter,
  documentTemplates: documentTemplatesRouter,
  mailTemplates: mailTemplatesRouter,
  mailboxes: mailboxesRouter,
  mailings: mailingsRouter,
  meetings: meetingsRouter,
  notes: notesRouter,
  outbox: outboxRouter,
  partyView: partyViewRouter,
  paymentAccounts: paymentAccountsRouter,
  payments: paymentsRouter,
  practices: practicesRouter,
  prices: pricesRouter,
  rooms: roomsRouter,
  safeguarding: safeguardingRouter,
  screenings: screeningsRouter,
  search: searchRouter,
  sessions: sessionsRouter,
  signatures: signaturesRouter,
  staff: staffRouter,
  submissions: submissionsRouter,
  subscriptions: subscriptionsRouter,
  support: supportRouter,
  suppressions: suppressionsRouter,
  tasks: tasksRouter,
  timeline: timelineRouter,
  users: mergeRouters(usersRouter, profileRouter),
});

export type AppRouter = typeof appRouter;
