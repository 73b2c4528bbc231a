// The dialogs with which staff make what people outside the practice see, and read what they sent.
import {
  addCertificate,
  at,
  button,
  type DialogRow,
  makeDraft,
  ofAnswered,
  ofClient,
  ofDraft,
  ofLeadForm,
  ofTakenOver,
  sendForm,
  sendOut,
  sendOutToMediator,
} from "./dialog-places.ts";

const BOOKING_LINKS = at("/calendar?view=links");

const FORMS: DialogRow[] = [
  {
    dialog: "NewFormDialog",
    at: at("/settings/forms"),
    opener: (page) => page.getByRole("link", { name: "New form" }),
    title: "New form",
    typed: "nothing",
  },
  {
    dialog: "AddQuestionDialog",
    before: makeDraft,
    at: ofDraft,
    opener: button(/^Add (a|the first) question/),
    title: "Add a question",
    typed: "sought",
  },
  {
    dialog: "PreviewDialog",
    at: ofDraft,
    opener: button("Preview"),
    title: "Preview",
    typed: "sought",
    isChosen: true,
  },
  { dialog: "PublishDialog", at: ofDraft, opener: button(/^Publish version/), title: /^Publish/, typed: "nothing" },
  { dialog: "ShareFormDialog", at: ofLeadForm, opener: button("Share"), title: "Share this form", typed: "asked" },
];

const ANSWERS: DialogRow[] = [
  {
    dialog: "SubmissionDialog",
    at: ofAnswered,
    opener: button(/^Read answers/),
    title: /\w: \w/,
    typed: "nothing",
  },
  {
    dialog: "SubmissionMoves",
    at: ofAnswered,
    around: ({ page }) => button(/^Read answers/)(page).click(),
    opener: button("Withdraw"),
    title: "Withdraw these answers?",
    typed: "nothing",
  },
  {
    dialog: "TakeBack",
    at: ofTakenOver,
    around: ({ page }) => button(/^Read answers/)(page).click(),
    opener: button("Take that back"),
    title: /^Are these answers not /,
    typed: "nothing",
  },
  {
    dialog: "SendFormDialog",
    at: ofClient("forms"),
    opener: button("Send a form"),
    title: /^Send a form to /,
    typed: "asked",
  },
  {
    dialog: "OpenLinkActions",
    before: sendForm,
    at: ofClient("forms"),
    opener: button("Take back"),
    title: /^Take back the link/,
    typed: "nothing",
  },
];

const BOOKINGS: DialogRow[] = [
  {
    dialog: "LinkDialog",
    at: BOOKING_LINKS,
    opener: button("New booking link"),
    title: "New booking link",
    typed: "asked",
  },
  {
    dialog: "PairDialog",
    at: BOOKING_LINKS,
    opener: button("Make links for two parties"),
    title: "Links for two parties",
    typed: "asked",
  },
  {
    dialog: "PairRow",
    at: BOOKING_LINKS,
    opener: button(/^End links of/),
    title: "End these links?",
    typed: "nothing",
  },
];

const SIGNATURES: DialogRow[] = [
  {
    dialog: "SendForSignatureDialog",
    at: ofClient("files"),
    opener: button("More about Agreement to mediate.pdf"),
    item: "Send for signature",
    title: /^Send “Agreement to mediate/,
    typed: "asked",
  },
  {
    dialog: "CodeDialog",
    before: (place) => sendOut(place, true),
    at: ofClient("files"),
    opener: button(/^(Give a|New) code for/),
    title: /^Code for/,
    typed: "nothing",
  },
  {
    dialog: "SignOwnDialog",
    before: sendOutToMediator,
    at: ofClient("files"),
    opener: button("Read and sign"),
    title: /^Sign “/,
    typed: "nothing",
  },
  {
    dialog: "TrailDialog",
    before: (place) => sendOut(place),
    at: ofClient("files"),
    opener: button("What happened"),
    title: /^What happened to/,
    typed: "nothing",
  },
  {
    dialog: "WithdrawDialog",
    before: (place) => sendOut(place),
    at: ofClient("files"),
    opener: button("Withdraw"),
    title: /^Withdraw/,
    typed: "asked",
  },
  {
    dialog: "AddedCertificate",
    before: addCertificate,
    at: at("/account?tab=practice"),
    opener: (page) => page.locator("section", { hasText: "Document seal" }).getByRole("button", { name: "Remove" }),
    title: "Remove the certificate?",
    typed: "nothing",
  },
  {
    dialog: "AddCertificateDialog",
    at: at("/account?tab=practice"),
    opener: button(/^(Add a|Replace the) certificate$/),
    title: "Certificate to seal with",
    typed: "asked",
  },
];

export const PUBLIC_SIDE: readonly DialogRow[] = [...FORMS, ...ANSWERS, ...BOOKINGS, ...SIGNATURES];
