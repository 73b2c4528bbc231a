import type { AppRouter } from "@app/server/app-router";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { createPractice } from "@app/server/features/auth/registration";
import type { Permission } from "@app/shared/access";
import type { Register } from "@app/shared/auth";
import type { Case, CreateCase } from "@app/shared/cases";
import type { CreateRoom } from "@app/shared/rooms";
import type { CreateMeeting, Meeting } from "@app/shared/meetings";
import type { CreateClient } from "@app/shared/clients";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { now } from "@app/server/core/clock";
import { dayIn } from "@app/shared/days";
import type { Intake } from "@app/shared/intake";
import type { StaffRole } from "@app/shared/users";
import { createTRPCClient, httpLink } from "@trpc/client";
import { cleared } from "./cleared.ts";
import { AGREED, agreed } from "./contactable.ts";
import { aScreening, screened } from "./screened.ts";
import { aColleague, anOwner, isPlain } from "./signed-in.ts";
import type { TestApp } from "./test-app.ts";

export const PASSWORD = "quiet harbour lantern moss";

export type Api = ReturnType<typeof createTRPCClient<AppRouter>>;

export interface TestPerson {
  email: string;
  api: Api;
  /** The Cookie header this person's browser would send now. */
  cookies(): string;
}

let count = 0;
const nextNumber = () => ++count;

/** A browser without an account: keeps its own cookies, and sends what a page of ours would send, and these headers. */
export function aVisitor(
  app: TestApp,
  further: Record<string, string> = {},
  brought: readonly string[] = [],
): TestPerson {
  const jar = new Map<string, string>();
  const keep = (line: string) => {
    const [pair = ""] = line.split(";");
    const [name = "", value = ""] = pair.split("=");
    if (value && !/max-age=0/i.test(line)) jar.set(name, value);
    else jar.delete(name);
  };
  brought.forEach(keep);
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const api = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${app.url}/trpc`,
        headers: () => ({ origin: app.url, cookie: cookies(), ...further }),
        async fetch(url, options) {
          const response = await fetch(url, {
            method: options?.method ?? "GET",
            headers: options?.headers ?? {},
            body: bodyOf(options?.body),
          });
          response.headers.getSetCookie().forEach(keep);
          return response;
        },
      }),
    ],
  });
  return { email: "", api, cookies };
}

const bodyOf = (body: unknown) => (typeof body === "string" ? body : null);

export interface TestPractice extends TestPerson {
  ownerId: string;
  practiceName: string;
}

/** What somebody enters who opens a practice. */
export const anOwnerAt = (email: string, practiceName = "Quillfeather"): Register => ({
  firstName: "Ines",
  lastName: "Marchbank",
  email,
  password: PASSWORD,
  practiceName,
  region: "england_wales",
  mediatorType: "family",
});

/** A new practice and its owner, signed in. */
export async function aPractice(app: TestApp): Promise<TestPractice> {
  const number = nextNumber();
  const email = `owner${number}@practice${number}.example.org`;
  const practiceName = `Quillfeather ${number}`;
  const entered = anOwnerAt(email, practiceName);
  if (isPlain(app)) {
    const { userId, cookies } = await anOwner(entered);
    const owner = aVisitor(app, {}, cookies);
    // The first call notes which plan the practice has.
    await owner.api.auth.status.query();
    return { ...owner, email, practiceName, ownerId: userId };
  }
  let visitor = aVisitor(app);
  // Where mail can leave, a practice is opened by a mailed link; that way has tests of its own.
  if (app.mailsLinks?.()) {
    await createPractice(entered, { mustBeFirst: false });
    await visitor.api.auth.signIn.mutate({ email, password: PASSWORD });
  } else {
    // Tests open more of them than one network may.
    const opening = aVisitor(app, { "x-forwarded-for": `${11 + Math.floor(number / 250)}.${number % 250}.0.1` });
    await opening.api.auth.register.mutate(entered);
    visitor = aVisitor(app, {}, opening.cookies().split("; "));
  }
  const { user } = await visitor.api.auth.status.query();
  return { ...visitor, email, practiceName, ownerId: user?.ownerId ?? "" };
}

/** The scope of a practice's owner, for what no procedure offers. */
export const scopeOf = (ownerId: string): Scope => ({
  ownerId,
  userId: ownerId,
  userName: "Ines Marchbank",
  role: 1,
  permissions: [],
  isAssignedOnly: false,
});

interface StaffOptions {
  role?: StaffRole;
  /** Exactly these permissions; the role's own where left out. */
  permissions?: Permission[];
}

/** A staff user of the practice, signed in. */
export async function aStaffUser(
  app: TestApp,
  practice: TestPractice,
  { role = 3, permissions }: StaffOptions = {},
): Promise<TestPerson> {
  const email = `staff${nextNumber()}@example.org`;
  const invited = { email, firstName: "Tom", lastName: "Birch", role };
  if (isPlain(app)) {
    const { cookies } = await aColleague(practice.ownerId, { ...invited, password: PASSWORD, permissions });
    return { ...aVisitor(app, {}, cookies), email };
  }
  const { link } = await practice.api.staff.invite.mutate({ id: newId(), ...invited });
  const token = new URL(link ?? "").searchParams.get("token") ?? "";
  const visitor = aVisitor(app);
  await visitor.api.auth.acceptInvitation.mutate({ token, firstName: "Tom", lastName: "Birch", password: PASSWORD });
  if (permissions) {
    const { items } = await practice.api.staff.list.query();
    const staff = items.find((user) => user.email === email);
    if (!staff) throw new Error("the invited person is not on the list");
    await practice.api.staff.update.mutate({ id: staff.id, role, permissions, version: staff.version });
  }
  const { user } = await visitor.api.auth.status.query();
  if (!user) await visitor.api.auth.signIn.mutate({ email, password: PASSWORD });
  return { ...visitor, email };
}

/** Gives a staff user exactly these permissions, and another role where one is named. */
export async function setPermissions(
  practice: Pick<TestPractice, "api">,
  { email }: Pick<TestPerson, "email">,
  permissions: Permission[],
  newRole?: StaffRole,
): Promise<void> {
  const { items } = await practice.api.staff.list.query();
  const staff = items.find((user) => user.email === email);
  if (!staff || staff.role === 1) throw new Error("this is no staff user of the practice");
  await practice.api.staff.update.mutate({
    id: staff.id,
    role: newRole ?? staff.role,
    permissions,
    version: staff.version,
  });
}
/** What the page sends with what it creates: an id of its own. */
export type Sent<Input> = Input & { id: string };
/** The same for what it adds to something, or sends. */
export type SentChange<Input> = Input & { changeId: string };

/** A client as the form would send it. */
export const aClient = (overrides: Partial<Sent<CreateClient>> = {}): Sent<CreateClient> => ({
  id: newId(),
  ...clientFields(),
  ...overrides,
});

/** The fields of a client, as they are saved again later. */
export const clientFields = (overrides: Partial<CreateClient> = {}): CreateClient => ({
  kind: "person",
  title: "",
  firstName: "Maya",
  lastName: "Ellery",
  knownAs: "",
  organisation: "",
  dateOfBirth: "1985-04-12",
  email: "maya@example.org",
  phones: [{ type: "mobile", number: "07700 900142", isPreferred: true }],
  address: { lines: ["4 Kiln Row"], postcode: "LS6 2QX", country: "United Kingdom" },
  isAddressConfidential: false,
  safeContact: DEFAULT_SAFE_CONTACT,
  needs: "",
  tags: [],
  ...overrides,
});

/** A case as the form would send it: the first client brings it, the others answer. */
export const aCaseInput = (clientIds: string[], overrides: Partial<CreateCase> = {}): Sent<CreateCase> => ({
  id: newId(),
  caseRef: "",
  domain: "family",
  issueScope: "all_issues",
  matter: "Children and finances",
  format: "in_person",
  mediators: [],
  staffIds: [],
  children: [],
  referral: { source: "self", contactId: "", campaign: "" },
  flags: { safeguarding: "none", isUrgent: false, mustNotMeet: false },
  startedOn: "",
  nextReviewOn: "",
  parties: clientIds.map((clientId, index) => ({
    clientId,
    role: index === 0 ? "initiator" : "respondent",
    side: "",
  })),
  ...overrides,
});

/** Somebody new, and the case that they bring. */
export function anIntake(overrides: Partial<Sent<Intake>> = {}): Sent<Intake> {
  const { id, parties: _parties, ...theCase } = aCaseInput([]);
  return {
    id,
    client: clientFields({ firstName: "New" }),
    other: null,
    theCase,
    conflict: null,
    isAnother: true,
    ...overrides,
  };
}

/** The choice of a case's one mediator. */
export const ledBy = (userId: string) => ({ mediators: [{ userId, isLead: true }] });

/**
 * A case of two new clients of this practice, who were checked for conflicts and screened, and of whom the first agrees
 * that the other is contacted, unless it is said otherwise.
 */
export async function aCase(
  practice: Pick<TestPractice, "api">,
  overrides: Partial<CreateCase> = {},
  {
    isScreened = true,
    isCleared = true,
    isAgreed = true,
  }: Partial<Record<"isScreened" | "isCleared" | "isAgreed", boolean>> = {},
) {
  const number = nextNumber();
  const first = await practice.api.clients.create.mutate(
    aClient({ firstName: "Priya", lastName: `Nandakumar${number}`, email: `priya${number}@example.org`, phones: [] }),
  );
  const second = await practice.api.clients.create.mutate(
    aClient({ firstName: "Owen", lastName: `Castell${number}`, email: `owen${number}@example.org`, phones: [] }),
  );
  const opened = await practice.api.casework.create.mutate(aCaseInput([first.id, second.id], overrides));
  const isKeptHere = !isAgreed || (await agreed(opened));
  const theCase: Case = isKeptHere
    ? {
        ...opened,
        parties: opened.parties.map((each, of) =>
          isAgreed && of === 0 ? { ...each, contactAgreement: AGREED } : each,
        ),
      }
    : await practice.api.casework.recordContactAgreement.mutate(agreeing(opened));
  const [p1, p2] = theCase.parties;
  if (!p1 || !p2) throw new Error("the case has no two parties");
  if (isScreened && !(await screened(theCase)))
    for (const { partyId } of theCase.parties)
      await practice.api.screenings.complete.mutate(aScreening(theCase, partyId));
  if (isCleared && !(await cleared(theCase)))
    await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  return { theCase, first, second, p1, p2 };
}

/** That whoever came first agrees today that the others are contacted, as the page would send it. */
export const agreeing = ({ id, version, parties: [first] }: Case) => ({
  id,
  version,
  partyId: first?.partyId ?? "",
  isAgreed: true,
  isNamed: false,
  on: dayIn("Europe/London", now()),
});

const HOUR_MS = 3_600_000;

/** A room as the form would send it. */
export const aRoom = (overrides: Partial<CreateRoom> = {}): Sent<CreateRoom> => ({
  id: newId(),
  name: `Room ${nextNumber()}`,
  place: "First floor",
  capacity: 6,
  notes: "",
  ...overrides,
});

/** A meeting of an hour as the form would send it. */
export function aMeetingInput(mediatorId: string, overrides: Partial<CreateMeeting> = {}): Sent<CreateMeeting> {
  const startsAt = overrides.startsAt ?? "2031-03-04T09:00:00.000Z";
  return {
    id: newId(),
    endsAt: new Date(Date.parse(startsAt) + HOUR_MS).toISOString(),
    type: "mediation",
    title: "",
    location: { kind: "in_person", place: "Room 1" },
    mediatorIds: [mediatorId],
    partyIds: [],
    arrivals: [],
    childIds: [],
    arrangements: [],
    againstMeasures: "",
    rooms: [],
    others: [],
    note: "",
    caseId: null,
    clientId: null,
    status: "booked",
    repeat: null,
    allowsOverlap: false,
    allowsCrowding: false,
    isInvitationSent: false,
    ...overrides,
    startsAt,
  };
}

/** A stored meeting as its form sends it back. */
export const meetingDetailsOf = ({ id, version, type, title, note, location, ...people }: Meeting) => {
  const { mediatorIds, partyIds, arrivals } = people;
  return { id, version, type, title, note, location, mediatorIds, partyIds, arrivals };
};
