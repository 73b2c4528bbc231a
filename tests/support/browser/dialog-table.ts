// Every dialog of the page, and how somebody comes to it.
import { openDialog } from "./dialog-manners.ts";
import {
  archiveOne,
  at,
  button,
  changeTwice,
  confirmedBefore,
  type DialogRow,
  importTwo,
  issueCertificate,
  invited,
  ofCase,
  ofPausedCase,
  ofClient,
  ofOwnAssessed,
  recordMiam,
  tell,
  withSecondFactor,
} from "./dialog-places.ts";
import { DOCUMENT_DIALOGS } from "./document-dialogs.ts";
import { PAYMENT_DIALOGS } from "./payment-dialogs.ts";
import { PUBLIC_SIDE } from "./public-side-dialogs.ts";
import { SESSION } from "./session-dialogs.ts";
import type { Page } from "playwright-core";

const TASK: DialogRow = {
  dialog: "TaskDialog",
  at: ofClient("overview"),
  opener: button("More about this client"),
  item: "Add a task",
  title: "New task",
  typed: "asked",
};
const CHANGED_TASK: DialogRow = {
  dialog: "EditTaskDialog",
  at: at("/dashboard"),
  opener: (page) => page.getByRole("button", { name: /^Change: / }).first(),
  title: "Change the task",
  typed: "asked",
};
const CONTACT: DialogRow = {
  dialog: "OpenContact",
  at: at("/contacts"),
  opener: (page) => page.getByRole("table").getByRole("link").first(),
  title: /\w/,
  typed: "nothing",
};
const COMPOSE: DialogRow = {
  dialog: "ComposeForm",
  at: ofClient("overview"),
  opener: button("Write"),
  title: /^New message/,
  typed: "kept",
};
const UNDO: DialogRow = {
  dialog: "UndoButton",
  before: importTwo,
  at: ({ page }) => page.url(),
  opener: button("Undo this import"),
  title: "Undo this import?",
  typed: "nothing",
};
const note = (words: string) => (page: Page) => page.getByRole("article").filter({ hasText: words }).first();

const CASEWORK: DialogRow[] = [
  TASK,
  CHANGED_TASK,
  {
    dialog: "OpenCaseDialog",
    at: ofClient("overview"),
    opener: button("More about this client"),
    item: "Open another case",
    title: /^Open a case/,
    typed: "asked",
  },
  {
    dialog: "MoveCaseDialog",
    at: ofCase("assessing"),
    opener: button("Move on"),
    title: /^Move case/,
    typed: "nothing",
  },
  {
    dialog: "CorrectStepDialog",
    at: ofPausedCase,
    opener: button("More about this case"),
    item: "Take the last step back",
    title: "Take the last step back",
    typed: "asked",
  },
  {
    dialog: "ConfidencesDialog",
    at: ofCase("in_mediation"),
    opener: button("More about this case"),
    item: "Confidences",
    title: "New agreement about confidences",
    typed: "asked",
  },
  {
    dialog: "CorrectAgreementDialog",
    at: ofCase("in_mediation"),
    opener: button("More about this case"),
    item: "Confidences",
    through: (page) =>
      page.getByRole("dialog").getByRole("button", { name: "The agreement says something else" }).click(),
    title: "Correct what the agreement says",
    typed: "asked",
  },
  {
    dialog: "DisclosureDialog",
    at: ofCase("assessing"),
    opener: button("More about this case"),
    item: "What may be told outside",
    title: "What may be told outside",
    typed: "asked",
  },
  {
    dialog: "EditCaseDialog",
    at: ofCase("assessing"),
    opener: button("More about this case"),
    item: "Edit case",
    title: /^Case /,
    typed: "asked",
  },
  {
    dialog: "FundingDialog",
    at: ofCase("assessing"),
    opener: button("More about this case"),
    item: "Funding",
    title: "Funding",
    typed: "asked",
  },
  {
    dialog: "AddPartyDialog",
    at: ofCase("assessing"),
    opener: button("More about this case"),
    item: "Add a party",
    title: /^Add a party/,
    typed: "asked",
  },
  {
    dialog: "PartyPreviewDialog",
    at: ofCase("assessing"),
    opener: button("What each party sees"),
    title: "What each party sees",
    typed: "nothing",
    isChosen: true,
  },
  { dialog: "PartyDialog", at: ofCase("assessing"), opener: button(/^Next step of/), title: /^P1:/, typed: "asked" },
  {
    dialog: "CorrectDayDialog",
    at: ofCase("assessing"),
    opener: button(/^Next step of/),
    through: (page) => page.getByRole("dialog").getByRole("button", { name: "Correct a day" }).click(),
    title: /^Correct a day of/,
    typed: "asked",
  },
  {
    dialog: "AssessmentDialog",
    at: ofCase("assessing"),
    opener: button("Record MIAM"),
    title: /^MIAM of/,
    typed: "asked",
  },
  {
    dialog: "ElsewhereDialog",
    at: ofCase("assessing"),
    opener: button("Record one held elsewhere"),
    title: /^MIAM of .*, held elsewhere$/,
    typed: "asked",
  },
  {
    dialog: "IssueMediationDialog",
    at: ofCase("assessing"),
    opener: button("Certify mediation"),
    title: /^Certify mediation to /,
    typed: "nothing",
  },
  {
    dialog: "StrikeDialog",
    before: recordMiam,
    at: ofOwnAssessed,
    opener: (page) => page.getByRole("button", { name: "Strike" }).first(),
    title: "Strike this record?",
    typed: "asked",
  },
  {
    dialog: "IssueCertificateDialog",
    before: issueCertificate,
    at: ofOwnAssessed,
    opener: (page) => page.getByRole("button", { name: "Issue certificate" }).first(),
    title: /^Issue a MIAM certificate to /,
    typed: "asked",
  },
  {
    dialog: "VoidDialog",
    before: issueCertificate,
    at: ofOwnAssessed,
    opener: button("Declare void"),
    title: /^Declare .* void\?$/,
    typed: "asked",
  },
  {
    dialog: "ScreeningDialog",
    at: ofCase("assessing"),
    opener: button(/^Screen( again)?:/),
    title: /^Screening of/,
    typed: "asked",
  },
  {
    dialog: "ScreeningHistoryDialog",
    at: ofCase("assessing"),
    opener: button(/^Read .*screenings: /),
    title: /^Screenings of/,
    typed: "nothing",
    isChosen: true,
  },
  {
    dialog: "EntryDialog",
    at: ofCase("assessing"),
    opener: button("Add a safeguarding entry"),
    title: "Safeguarding entry",
    typed: "asked",
  },
  {
    dialog: "DecideDialog",
    at: ofCase("assessing"),
    opener: button(/^Decide/),
    title: "Decide the conflict check",
    typed: "asked",
  },
  {
    dialog: "LinkContactDialog",
    at: ofCase("assessing"),
    opener: button("Add a person"),
    title: "Add a person to this case",
    typed: "sought",
  },
];

const RECORDS: DialogRow[] = [
  {
    dialog: "NarrowDialog",
    at: ofClient("notes"),
    opener: (page) => note("Rang back")(page).getByRole("button", { name: "More about this note" }),
    item: "Show to fewer people",
    title: "Show to fewer people",
    typed: "nothing",
  },
  {
    dialog: "VersionsDialog",
    at: ofClient("notes"),
    opener: button("More about this note"),
    item: "Earlier versions",
    title: "Earlier versions",
    typed: "nothing",
  },
  {
    dialog: "ReleaseDialog",
    at: ofClient("notes"),
    opener: button(/^Release with/),
    title: /^Release what/,
    typed: "asked",
  },
  {
    dialog: "FilePreviewDialog",
    at: ofClient("files"),
    opener: button("More about Agreement to mediate.pdf"),
    item: "Look at it",
    title: "Agreement to mediate.pdf",
    begins: "Pages of",
    typed: "sought",
  },
  {
    dialog: "EditFileDialog",
    at: ofClient("files"),
    opener: button("More about Pension figures.csv"),
    item: /^Rename/,
    title: "Pension figures.csv",
    typed: "asked",
  },
  {
    dialog: "ReleaseFileDialog",
    at: ofClient("files"),
    opener: button("More about Pension figures.csv"),
    item: "Share with parties",
    title: "Share Pension figures.csv",
    typed: "nothing",
  },
  {
    dialog: "ContactAdder",
    at: at("/contacts"),
    opener: (page) => page.getByRole("link", { name: "Add contact" }),
    title: "Add contact",
    begins: "First name",
    isChosen: true,
    typed: "asked",
  },
  CONTACT,
  {
    dialog: "LinkToCaseDialog",
    at: CONTACT.at,
    around: ({ page }) => openDialog(page, CONTACT),
    opener: button("Add to a case"),
    title: /^Add .* to a case$/,
    typed: "sought",
  },
  {
    dialog: "NewerVersionDialog",
    at: ({ sample }) => `/clients/view/${sample.clientId}?edit=true`,
    around: changeTwice,
    opener: button("Save"),
    title: /changed/,
    typed: "nothing",
  },
  UNDO,
  {
    ...UNDO,
    dialog: "ChangedDialog",
    before: archiveOne,
    through: (page) => page.getByRole("dialog").getByRole("button", { name: "Undo this import" }).click(),
    title: /cannot be undone$/,
  },
];

const MEETINGS_AND_MAIL: DialogRow[] = [
  {
    dialog: "BookMeetingDialog",
    at: ofClient("overview"),
    opener: button("Book"),
    title: "Book a meeting",
    typed: "asked",
  },
  {
    dialog: "MeetingDialog",
    at: ofClient("meetings"),
    opener: (page) => page.locator(".meeting-list-row:enabled").first(),
    title: /\w/,
    typed: "nothing",
    isChosen: true,
  },
  {
    dialog: "CalendarSettingsDialog",
    at: at("/calendar"),
    opener: button("Calendar settings"),
    title: "Calendar settings",
    typed: "asked",
  },
  COMPOSE,
  { ...COMPOSE, dialog: "ComposeDialog" },
  {
    dialog: "ComposeFilePicker",
    at: COMPOSE.at,
    around: ({ page }) => openDialog(page, COMPOSE),
    opener: button("Attach"),
    title: "Attach files",
    typed: "sought",
  },
  {
    dialog: "RoomDialog",
    at: at("/account?tab=practice"),
    opener: button("Add a room"),
    title: "New room",
    typed: "asked",
  },
  {
    dialog: "TemplateDialog",
    at: at("/email-settings?tab=templates"),
    opener: button("New template"),
    title: "New template",
    typed: "asked",
  },
  {
    dialog: "NewMailingDialog",
    at: at("/email-settings?tab=mailings"),
    opener: button("Write to many"),
    title: "Write to many",
    begins: "Subject",
    typed: "asked",
  },
  {
    dialog: "Steps",
    at: at("/email-settings?tab=mailings"),
    around: ({ page }) => page.getByRole("link", { name: "Our new address from March" }).first().click(),
    opener: button("Cancel this mailing"),
    title: "Cancel this mailing?",
    typed: "nothing",
  },
  {
    dialog: "UnsentMailDialog",
    before: (place) => tell(place, "staff.invite", invited()),
    at: at("/email-settings?tab=unsent"),
    opener: (page) => page.getByRole("table").getByRole("button").first(),
    title: /\w/,
    typed: "nothing",
  },
];

const PEOPLE: DialogRow[] = [
  {
    dialog: "InviteDialog",
    at: at("/settings/user-permissions"),
    opener: button("Invite a person"),
    title: "Invite a person",
    typed: "asked",
  },
  {
    dialog: "PersonActions",
    at: at("/settings/user-permissions"),
    opener: button("Suspend"),
    title: /^Suspend/,
    typed: "nothing",
  },
  {
    dialog: "ConfirmIdentityDialog",
    at: at("/settings/user-permissions?invite=true"),
    async around(place) {
      const { page } = place;
      const { email, firstName, lastName } = invited();
      await page.getByLabel("Email address").fill(email);
      await page.getByLabel("First name").fill(firstName);
      await page.getByLabel("Last name").fill(lastName);
      await page.getByRole("dialog").getByLabel("Role", { exact: true }).selectOption("Caseworker");
      await confirmedBefore(place, 11);
    },
    opener: button("Send invitation"),
    title: "Confirm that it is you",
    typed: "asked",
  },
  {
    dialog: "DeviceList",
    at: at("/account?tab=devices"),
    opener: button("Sign out everywhere else"),
    title: "Sign out everywhere else",
    typed: "nothing",
  },
  {
    dialog: "EnableTwoFactorDialog",
    at: at("/account?tab=devices"),
    opener: button("Set up"),
    title: "Set up a second factor",
    typed: "asked",
  },
  {
    dialog: "DisableTwoFactorDialog",
    before: withSecondFactor,
    at: at("/account?tab=devices"),
    opener: button("Switch off"),
    title: "Switch off the second factor",
    typed: "asked",
  },
];

const LEAD: DialogRow = {
  dialog: "LeadDialog",
  at: at("/leads"),
  opener: (page) => page.getByRole("region", { name: "New", exact: true }).getByRole("link").first(),
  title: /\w/,
  typed: "nothing",
};
const MORE_OF_LEADS = { at: LEAD.at, opener: button("More about leads"), typed: "nothing" } as const;
const LEADS: DialogRow[] = [
  {
    dialog: "LeadAdder",
    at: LEAD.at,
    opener: (page) => page.getByRole("link", { name: "Add lead" }),
    title: "Add lead",
    typed: "asked",
  },
  LEAD,
  {
    dialog: "EraseLeadDialog",
    at: LEAD.at,
    around: ({ page }) => openDialog(page, LEAD),
    opener: button("Delete"),
    title: /^Delete /,
    typed: "sought",
  },
  { ...MORE_OF_LEADS, dialog: "LeadReportDialog", item: "What became of enquiries", title: "What became of enquiries" },
  { ...MORE_OF_LEADS, dialog: "LeadReplyDialog", item: "Automatic answer", title: "Automatic answer" },
];

export const DIALOGS: readonly DialogRow[] = [
  ...CASEWORK,
  ...RECORDS,
  ...MEETINGS_AND_MAIL,
  ...PEOPLE,
  ...LEADS,
  ...PUBLIC_SIDE,
  ...DOCUMENT_DIALOGS,
  ...PAYMENT_DIALOGS,
  ...SESSION,
];
