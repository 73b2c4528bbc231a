// Every dialog of the page, and how somebody comes to it.
import { openDialog } from "./dialog-manners.ts";
import {
  addPrivateProposal,
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
  ofClient,
  ofSession,
  OUTCOME,
  RUNNING,
  session,
  tell,
  withSecondFactor,
} from "./dialog-places.ts";
import type { Page } from "playwright-core";

const TASK: DialogRow = {
  dialog: "TaskDialog",
  at: ofClient("overview"),
  opener: button("More about this client"),
  item: "Add a task",
  title: "New task",
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
    typed: "nothing",
  },
  {
    dialog: "PartyPreviewDialog",
    at: ofCase("assessing"),
    opener: button("What each party sees"),
    title: "What each party sees",
    typed: "nothing",
    isChosen: true,
  },
  { dialog: "PartyDialog", at: ofCase("assessing"), opener: button(/^Next step of/), title: /^P1:/, typed: "nothing" },
  {
    dialog: "IssueCertificateDialog",
    at: ofCase("assessing"),
    opener: button("Issue"),
    title: "Issue a MIAM certificate",
    typed: "nothing",
  },
  {
    dialog: "VoidDialog",
    before: issueCertificate,
    at: ofCase("assessing"),
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
    typed: "nothing",
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

const SESSION: DialogRow[] = [
  {
    ...session(RUNNING),
    dialog: "PartiesSeeDialog",
    opener: button("What each party sees"),
    title: "What each party sees",
    typed: "nothing",
  },
  {
    ...session(RUNNING),
    dialog: "SafetyDialog",
    opener: button("Record a safety review"),
    title: "Safety review",
    typed: "asked",
  },
  {
    ...session(RUNNING),
    dialog: "ProposalDialog",
    opener: button("Add a proposal"),
    title: "New proposal",
    begins: "Proposal",
    typed: "asked",
  },
  {
    at: ofSession,
    before: addPrivateProposal,
    dialog: "ReleaseProposalDialog",
    opener: button(/^What happens with: A year/),
    item: /^Release with/,
    title: /^Release .* proposal$/,
    typed: "asked",
  },
  { ...session(RUNNING), dialog: "EndDialog", opener: button("End session"), title: /^End session/, typed: "asked" },
  {
    ...session({ status: "ended", outcome: null }),
    dialog: "OutcomeDialog",
    opener: button("Lock session"),
    title: "Record the outcome first",
    typed: "asked",
  },
  {
    ...session({ status: "ended", outcome: OUTCOME }),
    dialog: "LockForm",
    opener: button("Lock session"),
    title: /^Lock session/,
    begins: "Type",
    typed: "asked",
  },
  {
    ...session({ status: "ended", outcome: OUTCOME, attendance: [] }),
    dialog: "LockDialog",
    opener: button("Lock session"),
    title: "Not ready to lock",
    typed: "nothing",
  },
  {
    ...session({ status: "locked", outcome: OUTCOME }),
    dialog: "AmendDialog",
    opener: button("Add an amendment"),
    title: "Add an amendment",
    typed: "asked",
  },
];

export const DIALOGS: readonly DialogRow[] = [...CASEWORK, ...RECORDS, ...MEETINGS_AND_MAIL, ...PEOPLE, ...SESSION];
