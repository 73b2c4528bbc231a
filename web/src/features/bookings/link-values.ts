import type { BookingLink, CreateLink } from "@app/shared/bookings";
import type { Deposit } from "@app/shared/deposits";
import { amountProblem, readAmount, typedAmount } from "../../ui/amount-field.tsx";
import { plainFields } from "../../ui/version-fields.ts";

/** A link as its form holds it; what may be empty is a text there. */
export interface LinkValues extends Omit<CreateLink, "useLimit" | "clientId" | "caseId" | "location" | "deposit"> {
  place: string;
  locationKind: CreateLink["location"]["kind"];
  useLimit: string;
  /** Nothing, the id of a price, or an amount of its own. */
  deposit: string;
  depositAmount: string;
  clientId: string;
  caseId: string;
}

/** Chosen in place of a price. */
export const AN_AMOUNT = "amount";

export const newLinkValues = (mediatorId: string): LinkValues => ({
  name: "",
  type: "call",
  title: "Choose a time to talk",
  minutes: 30,
  locationKind: "phone",
  place: "",
  mediatorIds: [mediatorId],
  mediatorChoice: "balanced",
  questions: [],
  needsConfirmation: false,
  noticeHours: 24,
  expiresOn: "",
  useLimit: "",
  deposit: "",
  depositAmount: "",
  clientId: "",
  caseId: "",
});

function depositOf({ deposit, depositAmount }: LinkValues, currency: string): Deposit | null {
  if (deposit === "") return null;
  if (deposit !== AN_AMOUNT) return { kind: "price", priceId: deposit };
  return { kind: "amount", amountMinor: readAmount(depositAmount, currency) ?? 0 };
}

/** What is typed is no amount: the server cannot say so. */
export function depositProblems({ deposit, depositAmount }: LinkValues, currency: string): Record<string, string> {
  if (deposit !== AN_AMOUNT) return {};
  const problem = depositAmount.trim() === "" ? "Enter the amount" : amountProblem(depositAmount, currency);
  return problem === "" ? {} : { depositAmount: problem };
}

export const sentOf = (given: LinkValues, currency: string): CreateLink => {
  const { place, locationKind, useLimit, clientId, caseId, depositAmount: _typed, ...values } = given;
  return {
    ...values,
    deposit: depositOf(given, currency),
    location: { kind: locationKind, place },
    useLimit: useLimit === "" ? null : Number(useLimit),
    clientId: clientId || null,
    caseId: caseId || null,
  };
};

export const recordOf = (link: BookingLink, currency: string): { values: LinkValues; version: number } => ({
  version: link.version,
  values: {
    name: link.name,
    type: link.type,
    title: link.title,
    minutes: link.minutes,
    locationKind: link.location.kind,
    place: link.location.place,
    mediatorIds: link.mediatorIds,
    mediatorChoice: link.mediatorChoice,
    questions: link.questions,
    needsConfirmation: link.needsConfirmation,
    noticeHours: link.noticeHours,
    expiresOn: link.expiresOn,
    useLimit: link.useLimit === null ? "" : String(link.useLimit),
    deposit: link.deposit === null ? "" : link.deposit.kind === "price" ? link.deposit.priceId : AN_AMOUNT,
    depositAmount: link.deposit?.kind === "amount" ? typedAmount(link.deposit.amountMinor, currency) : "",
    clientId: link.clientId ?? "",
    caseId: link.caseId ?? "",
  },
});

export const LINK_FIELDS = plainFields<LinkValues>(
  {
    name: "Name",
    type: "Kind",
    title: "Heading of the page",
    minutes: "Minutes",
    locationKind: "Where",
    place: "Room, number or link",
    mediatorIds: "Mediators",
    mediatorChoice: "Who takes it",
    questions: "Questions",
    needsConfirmation: "Waits for confirmation",
    noticeHours: "Hours until which it can be changed",
    expiresOn: "Last day",
    useLimit: "How often it can be used",
    deposit: "Payment before it is booked",
    depositAmount: "Amount of the payment",
    clientId: "For the client",
    caseId: "In the case",
  },
  {
    questions: (questions) => questions.map(({ label }) => label).join(", "),
    mediatorIds: (ids) => String(ids.length),
    deposit: (deposit) => (deposit === "" ? "None" : deposit === AN_AMOUNT ? "An amount" : "A price of the list"),
  },
);

/** Where whoever gets it goes. */
export const addressOf = ({ publicId }: { publicId: string }): string =>
  `${window.location.origin}/schedule-meeting/${publicId}`;
