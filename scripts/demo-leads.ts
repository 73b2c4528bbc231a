// Enquiries of the invented practice, in every state: the newest ones are open, what is older came to something or not.
import type { Case } from "@app/shared/cases";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import { addDays, dayIn } from "@app/shared/days";
import { responseDue } from "@app/shared/lead-response";
import { isOpenLead, type LeadStatus, LOST_REASONS } from "@app/shared/lead-states";
import { EMPTY_OTHER, type Enquiry, NO_ATTRIBUTION } from "@app/shared/leads";
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { checkConflicts } from "@app/server/features/leads/lead-conflicts";
import { type LeadDoc, LeadModel, sealLostNote, sortDueOf, storedFields } from "@app/server/features/leads/leads.model";
import { demoClient } from "./demo-people.ts";

const TIME_ZONE = "Europe/London";
const BATCH = 500;
const PERIOD_DAYS = { few: 90, many: 1095 };
const FEW = 100;
/** More of them are new than old. */
const DENSER = 1.6;

const NAMED = [
  "Winifred Dace",
  "Arun Mehta-Voss",
  "Isolde Farrant",
  "Keziah Lund",
  "Bryn Tollworthy",
  "Tamsin Orchard",
  "Dev Raman",
  "Una Kelleher",
  "Gwendolen Ash",
  "Rafe Sutcliffe",
  "Saffron Tye",
  "Ottilie Marsh",
  "Piers Lavenham",
  "Noor Haddad",
  "Elspeth Crane",
  "Joss Winterbourne",
];
const OTHERS = ["Leon Dace", "Mara Voss", "", "Perrin Lund", "Priya Nandakumar", "", "Ravi Raman", "Fintan Kelleher"];
const SUMMARIES = [
  "They separated in the spring and want to agree when the children are where.",
  "The house is to be sold, and they do not agree what becomes of the pension.",
  "Their solicitor says that mediation comes before the court.",
  "",
];
const SOURCES = ["self", "solicitor", "court", "website", "gp", "solicitor", "self", "charity"] as const;
const CHANNELS = ["form", "phone", "form", "email", "booking", "phone"] as const;
const REACHES = ["any", "", "text", "", "any", "phone", ""] as const;
const STEPS = ["Call back", "Sent prices", "", "Letter sent, call 1 of 2"];
/** Of the newest; what is older is closed, one way or the other. */
const NEWEST: LeadStatus[] = [
  "new",
  "new",
  "contacted",
  "new",
  "lost",
  "qualified",
  "contacted",
  "awaiting_p2",
  "converted",
  "qualified",
  "lost",
  "contacted",
  "awaiting_p2",
  "converted",
  "qualified",
  "converted",
  "awaiting_p2",
  "lost",
  "contacted",
];
const WAY: LeadStatus[] = ["new", "contacted", "qualified", "awaiting_p2", "converted"];

const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
};

/** Adds so many, spread over three months where they are few and over three years where they are many. */
export async function demoLeads(scope: Scope, cases: readonly Case[], count: number): Promise<void> {
  const periodDays = count <= FEW ? PERIOD_DAYS.few : PERIOD_DAYS.many;
  const docs = Array.from({ length: count }, (_, index) =>
    demoLead(scope, cases, { index, ageMs: ((index + 0.3) / count) ** DENSER * periodDays * DAY_MS }),
  );
  for (let start = 0; start < docs.length; start += BATCH) await LeadModel.insertMany(docs.slice(start, start + BATCH));
  for (const { _id } of docs.slice(0, NEWEST.length)) await checkConflicts(scope.ownerId, _id);
}

interface Place {
  index: number;
  ageMs: number;
}

function demoLead({ ownerId, userName }: Scope, cases: readonly Case[], { index, ageMs }: Place) {
  const key = { _id: newId(), ownerId };
  // The first came in a quarter of an hour ago.
  const createdAt = new Date(now().getTime() - (index === 0 ? 18 * MINUTE_MS : ageMs));
  const status = NEWEST[index] ?? (index % 9 < 4 ? "converted" : "lost");
  const enquiry = enquiryOf(index, status);
  const isAnswered = status !== "new";
  const responseMinutes = isAnswered ? 12 + ((index * 53) % 340) : null;
  const respondedAt = responseMinutes === null ? null : new Date(createdAt.getTime() + responseMinutes * MINUTE_MS);
  const since = new Date(Math.min(createdAt.getTime() + (isAnswered ? 30 * HOUR_MS : 0), now().getTime()));
  const dated = {
    status,
    firstRespondedAt: respondedAt && new Date(Math.min(respondedAt.getTime(), now().getTime())),
    responseDueAt: responseDue(TIME_ZONE, createdAt),
    nextOn: enquiry.nextOn,
  };
  const became = status === "converted" ? cases[index % cases.length] : undefined;
  return {
    ...key,
    ...storedFields(key, enquiry),
    ...dated,
    channel: pick(CHANNELS, index),
    attribution: index % 2 === 0 ? { ...NO_ATTRIBUTION, utmSource: "search", landingPath: "/contact" } : NO_ATTRIBUTION,
    statusSince: since,
    isOpen: isOpenLead(status),
    sortDue: sortDueOf(dated),
    responseMinutes,
    settledAt: createdAt,
    conflict: { hits: [], isCut: false, checkedAt: createdAt, lookedAt: null, lookedByName: "" },
    lostReason: status === "lost" ? pick(LOST_REASONS, index) : null,
    lostNoteEnc: status === "lost" && index % 4 === 0 ? sealLostNote(key, "Said so on the phone") : "",
    converted: became ? { clientId: became.parties[0]?.clientId ?? "", caseId: became.id, at: since } : null,
    steps: stepsTo(status, { createdAt, since, byName: userName }),
    updatedByName: userName,
    createdAt,
  } satisfies Partial<LeadDoc>;
}

function stepsTo(status: LeadStatus, { createdAt, since, byName }: { createdAt: Date; since: Date; byName: string }) {
  const passed: LeadStatus[] = status === "lost" ? ["new", "contacted", "lost"] : WAY.slice(0, WAY.indexOf(status) + 1);
  return passed.map((to) => ({ to, at: to === "new" ? createdAt : since, byName }));
}

function enquiryOf(index: number, status: LeadStatus): Enquiry {
  const known = demoClient(index * 3 + 1);
  const [firstName = "", ...rest] = (NAMED[index] ?? "").split(" ");
  const lastName = rest.join(" ");
  const name = lastName ? { firstName, lastName } : { firstName: known.firstName, lastName: known.lastName };
  const [otherFirst = "", otherLast = ""] = pick(OTHERS, index).split(" ");
  const isWaiting = isOpenLead(status) && status !== "new";
  // The sixth asked a second time.
  const who = index === 14 ? 5 : index;
  return {
    ...name,
    ...(name.lastName === "" ? { organisation: known.organisation } : { organisation: "" }),
    email: `enquiry.${who}@example.org`,
    phone: index % 4 === 3 ? "" : `01632 960${String(who % 1000).padStart(3, "0")}`,
    dateOfBirth: "",
    other: otherLast ? { ...EMPTY_OTHER, firstName: otherFirst, lastName: otherLast } : null,
    domain: index % 5 === 4 ? pick(CASE_DOMAINS, index) : "family",
    source: pick(SOURCES, index),
    campaign: index % 6 === 0 ? "Autumn search" : "",
    summary: pick(SUMMARIES, index),
    reachBy: pick(REACHES, index),
    reachNote: index % 7 === 2 ? "Shares a phone in the evenings" : "",
    nextStep: isWaiting ? pick(STEPS, index) : "",
    nextOn: isWaiting && index % 3 !== 2 ? addDays(dayIn(TIME_ZONE, now()), (index % 5) - 1) : "",
  };
}
