import type { BookingLink, CreateLink } from "@app/shared/bookings";
import { plainFields } from "../../ui/version-fields.ts";

/** A link as its form holds it; what may be empty is a text there. */
export interface LinkValues extends Omit<CreateLink, "useLimit" | "clientId" | "caseId" | "location"> {
  place: string;
  locationKind: CreateLink["location"]["kind"];
  useLimit: string;
  clientId: string;
  caseId: string;
}

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
  clientId: "",
  caseId: "",
});

export const sentOf = ({ place, locationKind, useLimit, clientId, caseId, ...values }: LinkValues): CreateLink => ({
  ...values,
  location: { kind: locationKind, place },
  useLimit: useLimit === "" ? null : Number(useLimit),
  clientId: clientId || null,
  caseId: caseId || null,
});

export const recordOf = (link: BookingLink): { values: LinkValues; version: number } => ({
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
    clientId: "For the client",
    caseId: "In the case",
  },
  {
    questions: (questions) => questions.map(({ label }) => label).join(", "),
    mediatorIds: (ids) => String(ids.length),
  },
);

/** Where whoever gets it goes. */
export const addressOf = ({ publicId }: { publicId: string }): string =>
  `${window.location.origin}/schedule-meeting/${publicId}`;
