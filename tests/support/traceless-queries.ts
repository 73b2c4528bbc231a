/**
 * Queries that a stranger comes to and whose answer shows nowhere yet in what is compared, with what the two practices
 * keep there: counts of one or none, settings that are the same, records of a sending looked up by an id of its own.
 * One that is added to them fails the run; one that is taken out of here must be noticed.
 */
export const TRACELESS: ReadonlySet<string> = new Set([
  "cases/board.service.ts Case.find",
  "cases/cases.service.ts Case.find",
  // Behind it the case is asked for, which answers in the same words.
  "certificates/certificates.service.ts Certificate.findOne",
  "files/files.service.ts File.findOne",
  "clients/client-addresses.service.ts Client.find",
  // One query under two names: mongoose asks `exists` through `findOne`.
  "clients/client-addresses.service.ts Client.exists",
  "clients/client-addresses.service.ts Client.findOne",
  "clients/clients.service.ts Client.find",
  "clients/clients.service.ts ClientCount.updateOne",
  "contacts/contact-addresses.service.ts Contact.find",
  "contacts/contacts.service.ts Contact.find",
  "files/file-changes.service.ts Sending.findOne",
  "imports/imports.service.ts Import.countDocuments",
  "imports/imports.service.ts Import.findOneAndUpdate",
  "imports/imports.service.ts Sending.findOne",
  "mail-templates/mail-templates.service.ts MailTemplate.countDocuments",
  "mail/compose-drafts.service.ts MailDraft.findOne",
  "mailboxes/provider-sign-in.service.ts MailSignIn.findOneAndDelete",
  "mailings/mailings.router.ts Sending.findOne",
  "mailings/suppressions.service.ts Suppression.exists",
  "mailings/suppressions.service.ts Suppression.findOne",
  "meetings/free-slots.ts Availability.findOne",
  "meetings/free-slots.ts BusyBlock.find",
  "meetings/free-slots.ts Meeting.find",
  "meetings/meetings.router.ts Sending.findOne",
  "practices/practices.service.ts Practice.findById",
  "practices/practices.service.ts Practice.findOne",
  "subscriptions/subscriptions.service.ts Customer.find",
  "tasks/tasks.service.ts Task.find",
  "users/email-connection.service.ts User.find",
  "users/staff.service.ts Sending.findOne",
]);
