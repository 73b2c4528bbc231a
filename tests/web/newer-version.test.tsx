// What somebody types, while the same thing is changed elsewhere and fetched anew.
import type { Case } from "@app/shared/cases";
import type { Contact } from "@app/shared/contacts";
import { NO_MARK, type StoredFile } from "@app/shared/files";
import type { Practice } from "@app/shared/practices";
import type { StaffUser, UpdateProfile } from "@app/shared/users";
import { MEDIATOR_ONLY, PRACTICE_ONLY } from "@app/shared/visibility";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { EditCaseDialog } from "../../web/src/features/casework/edit-case-dialog.tsx";
import { CONTACT_FIELDS, contactValues } from "../../web/src/features/contacts/contact-record.ts";
import { EditFileDialog } from "../../web/src/features/files/edit-file-dialog.tsx";
import { PracticeTab } from "../../web/src/features/practices/practice-tab.tsx";
import { PermissionsForm } from "../../web/src/features/staff/permissions-form.tsx";
import { ProfileForm } from "../../web/src/features/users/profile-form.tsx";
import { mergeVersions } from "../../web/src/ui/version-fields.ts";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

interface Stored {
  contact: Contact;
  file: StoredFile;
  practice: Practice;
  profile: UpdateProfile & { isAccreditationConfirmed: boolean; isChildInclusiveConfirmed: boolean };
  tom: StaffUser;
  theCase: Case;
}

const NOON = "2026-11-20T12:00:00.000Z";

/** What the server has; changed here, it was changed elsewhere. */
let stored: Stored;
/** Holds the answer to a change back until it resolves. */
let slow: Promise<void> | null;
let secondsAway = 0;

const answer = (data: unknown) => ({ result: { data } });
const refusal = {
  error: { message: "Changed elsewhere.", code: -32009, data: { code: "CONFLICT", httpStatus: 409, isStale: true } },
};

function changed<Key extends keyof Stored>(key: Key, sent: Partial<Stored[Key]> & { version: number }) {
  if (sent.version !== stored[key].version) return refusal;
  stored = { ...stored, [key]: { ...stored[key], ...sent, version: sent.version + 1 } };
  return answer(stored[key]);
}

function replyTo(path: string, input: { version: number }): unknown {
  if (path === "auth.status") return answer(STATUS);
  if (path === "practices.get") return answer(stored.practice);
  if (path === "users.profile") return answer(stored.profile);
  if (path === "files.get") return answer(stored.file);
  if (path === "files.update") return changed("file", input);
  if (path === "cases.get") return answer(stored.theCase);
  if (path === "users.colleagues") return answer({ items: [{ userId: "u1", name: "Ines Marchbank", role: 1 }] });
  if (path === "staff.list") return answer({ items: [stored.tom] });
  if (path === "practices.update") return changed("practice", input);
  if (path === "casework.update") return changed("theCase", input);
  if (path === "users.updateProfile") return changed("profile", input);
  return changed("tom", input);
}

vi.stubGlobal("fetch", async (url: string, options?: { method?: string; body?: string }) => {
  const { pathname, searchParams } = new URL(String(url), "http://localhost");
  const paths = (pathname.split("/trpc/")[1] ?? "").split(",");
  if (options?.method === "POST") await slow;
  const replies = paths.map((path) => replyTo(path, JSON.parse(options?.body ?? '{"version":0}')));
  const status = replies.includes(refusal) ? 409 : 200;
  return new Response(JSON.stringify(searchParams.has("batch") ? replies : replies[0]), { status });
});

beforeEach(() => {
  queryClient.clear();
  rememberSession(STATUS);
  slow = null;
  secondsAway = 0;
  const realNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + secondsAway * 1000);
  stored = {
    practice: {
      practiceName: "Quillfeather",
      region: "england_wales",
      mediatorType: "family",
      timeZone: "Europe/London",
      caseNumberPrefix: "QF",
      isTwoFactorRequired: false,
      certificatesCountFrom: "attendance",
      holidays: [],
      version: 3,
      currency: "GBP",
    },
    profile: {
      firstName: "Ines",
      lastName: "Marchbank",
      isAccredited: false,
      accreditationNumber: "",
      isAccreditationConfirmed: false,
      isChildInclusive: false,
      isChildInclusiveConfirmed: false,
      version: 1,
    },
    tom: {
      id: "u2",
      firstName: "Tom",
      lastName: "Birch",
      email: "tom@quillfeather.example.org",
      role: 3,
      permissions: ["clients.read"],
      status: "active",
      isTwoFactorOn: false,
      invitedAt: null,
      lastSeenAt: null,
      profileChanges: [],
      isAccredited: false,
      accreditationNumber: "",
      accreditationConfirmedAt: null,
      isChildInclusive: false,
      childInclusiveConfirmedAt: null,
      version: 1,
    },
    theCase: {
      id: "c1",
      caseRef: "QF-2026-0001",
      domain: "family",
      issueScope: "all_issues",
      matter: "The house",
      format: "in_person",
      mediators: [{ userId: "u1", isLead: true }],
      staffIds: [],
      children: [],
      referral: { source: "self", contactId: "", campaign: "" },
      flags: { safeguarding: "none", isUrgent: false, mustNotMeet: false },
      startedOn: "",
      nextReviewOn: "",
      status: "enquiry",
      statusSince: NOON,
      reason: "",
      waitingFor: "practice",
      waitingSince: NOON,
      parties: [],
      mediatorNames: ["Ines Marchbank"],
      lastStep: null,
      ending: null,
      outcome: null,
      rounds: [],
      concludedOn: "",
      confidences: null,
      agreements: [],
      newAgreement: null,
      disclosures: [],
      version: 7,
      createdAt: NOON,
    },
    contact: {
      id: "k1",
      displayName: "Harriet Lowell",
      status: "active",
      roles: ["solicitor"],
      title: "",
      firstName: "Harriet",
      lastName: "Lowell",
      organisation: "",
      email: "",
      phones: [],
      address: { lines: ["1 High Street"], postcode: "", country: "" },
      reference: "",
      referrerCode: "",
      notes: "",
      links: [],
      version: 2,
      createdAt: NOON,
      updatedAt: NOON,
      updatedByName: "Tom Birch",
    },
    file: {
      id: "f1",
      clientId: "p1",
      caseId: null,
      name: "letter.pdf",
      mime: "application/pdf",
      sizeBytes: 1,
      tags: [],
      visibility: PRACTICE_ONLY,
      mark: NO_MARK,
      isOfAllParties: false,
      isOurOwn: false,
      sentAt: null,
      releasedFromId: null,
      consent: null,
      isDeleted: false,
      createdAt: NOON,
      changedAt: NOON,
      createdByName: "Tom Birch",
      version: 4,
    },
  };
});

const open = (part: ReactElement) =>
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{part}</QueryClientProvider>
    </api.Provider>,
  );

function Profile() {
  const profile = api.users.profile.useQuery();
  return profile.data ? <ProfileForm profile={profile.data} /> : null;
}

function TheCase() {
  const found = api.cases.get.useQuery({ id: "c1" });
  return found.data ? <EditCaseDialog theCase={found.data} onClose={() => undefined} /> : null;
}

function TheFile() {
  const found = api.files.get.useQuery({ id: "f1" });
  return found.data ? <EditFileDialog file={found.data} theCase={null} onClose={() => undefined} /> : null;
}

function Stale() {
  const update = api.users.updateProfile.useMutation();
  const late = { ...stored.profile, version: 0 };
  return <button onClick={() => void update.mutateAsync(late).catch(() => undefined)}>Send late</button>;
}

function TomsPermissions() {
  const staff = api.staff.list.useQuery();
  const tom = staff.data?.items[0];
  return tom ? <PermissionsForm person={tom} /> : null;
}

/** Somebody changes it elsewhere, and this window comes to the front again after a while. */
async function changeElsewhere<Key extends keyof Stored>(key: Key, change: Partial<Stored[Key]>) {
  stored = { ...stored, [key]: { ...stored[key], ...change, version: stored[key].version + 1 } };
  secondsAway += 60;
  window.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
}

const field = (label: string) => screen.findByRole("textbox", { name: label });
const save = () => userEvent.click(screen.getByRole("button", { name: "Save" }));

async function type(label: string, text: string) {
  const input = await field(label);
  await userEvent.clear(input);
  await userEvent.type(input, text);
  return input;
}

test("practice: somebody types, when it was changed elsewhere and is fetched anew, what is typed stays and is saved over the other change", async () => {
  open(<PracticeTab />);
  const name = await type("Practice name", "Harbour");
  await changeElsewhere("practice", { timeZone: "Europe/Dublin" });
  await screen.findByText(/was changed elsewhere while you were editing: Time zone/);
  expect(screen.getByRole("textbox", { name: "Practice name" })).toBe(name);
  expect(name).toHaveProperty("value", "Harbour");
  expect(screen.getByLabelText("Time zone")).toHaveProperty("value", "Europe/Dublin");
  await save();
  await waitFor(() => expect(stored.practice).toMatchObject({ practiceName: "Harbour", timeZone: "Europe/Dublin" }));
  await waitFor(() => expect(screen.queryByText(/was changed elsewhere/)).toBeNull());
});

test("practice: both changed the same, when it is saved, both are shown and the chosen one is stored", async () => {
  open(<PracticeTab />);
  await type("Practice name", "Harbour");
  await type("Case numbers start with", "HB");
  await changeElsewhere("practice", { practiceName: "Lighthouse", caseNumberPrefix: "LH" });
  await screen.findByText(/you choose which is to stand/);
  await save();
  const dialog = await screen.findByRole("dialog", { name: "This practice was changed elsewhere" });
  expect(stored.practice.practiceName).toBe("Lighthouse");
  await userEvent.click(within(dialog).getByRole("radio", { name: "Practice name: yours, Harbour" }));
  await userEvent.click(within(dialog).getByRole("radio", { name: "Case numbers start with: saved elsewhere, LH" }));
  await userEvent.click(within(dialog).getByRole("button", { name: "Save this choice" }));
  await waitFor(() => expect(stored.practice).toMatchObject({ practiceName: "Harbour", caseNumberPrefix: "LH" }));
  await waitFor(async () => expect(await field("Case numbers start with")).toHaveProperty("value", "LH"));
});

test("practice: saved elsewhere and not fetched yet, when this form saves too, both changes are stored", async () => {
  open(<PracticeTab />);
  await type("Practice name", "Harbour");
  stored.practice = { ...stored.practice, caseNumberPrefix: "ZZ", version: 4 };
  await save();
  await waitFor(() => expect(stored.practice).toMatchObject({ practiceName: "Harbour", caseNumberPrefix: "ZZ" }));
});

test("practice: saved elsewhere with another name and not fetched yet, when this form saves a name too, it asks", async () => {
  open(<PracticeTab />);
  await type("Practice name", "Harbour");
  stored.practice = { ...stored.practice, practiceName: "Lighthouse", version: 4 };
  await save();
  await screen.findByRole("dialog", { name: "This practice was changed elsewhere" });
  expect(stored.practice.practiceName).toBe("Lighthouse");
  expect(screen.getByLabelText("Practice name")).toHaveProperty("value", "Harbour");
});

test("practice: nothing is typed, when it was changed elsewhere, the form shows that without a word", async () => {
  open(<PracticeTab />);
  await field("Practice name");
  await changeElsewhere("practice", { practiceName: "Lighthouse" });
  await waitFor(async () => expect(await field("Practice name")).toHaveProperty("value", "Lighthouse"));
  expect(screen.queryByText(/was changed elsewhere/)).toBeNull();
});

test("practice: what is typed, when it is thrown away, gives way to what is stored by now", async () => {
  open(<PracticeTab />);
  await type("Practice name", "Harbour");
  await changeElsewhere("practice", { practiceName: "Lighthouse" });
  await userEvent.click(await screen.findByRole("button", { name: "Throw away my changes" }));
  expect(await field("Practice name")).toHaveProperty("value", "Lighthouse");
  expect(screen.queryByText(/was changed elsewhere/)).toBeNull();
});

test("practice: somebody goes on typing, while it is being saved, that stays too", async () => {
  open(<PracticeTab />);
  await type("Practice name", "Harbour");
  const { promise, resolve } = Promise.withResolvers<void>();
  slow = promise;
  await save();
  await type("Case numbers start with", "NEW");
  resolve();
  await waitFor(() => expect(stored.practice).toMatchObject({ practiceName: "Harbour", caseNumberPrefix: "QF" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Save" })).toHaveProperty("disabled", false));
  expect(await field("Case numbers start with")).toHaveProperty("value", "NEW");
});

test("profile: somebody types, when it was changed elsewhere and is fetched anew, what is typed stays", async () => {
  open(<Profile />);
  const name = await type("First name", "Inés");
  await changeElsewhere("profile", { isAccredited: true });
  await screen.findByText(/This profile was changed elsewhere/);
  expect(name).toHaveProperty("value", "Inés");
  await save();
  await waitFor(() => expect(stored.profile).toMatchObject({ firstName: "Inés", isAccredited: true }));
});

test("permissions: switches are set, when others were set elsewhere, both stand and both are saved", async () => {
  open(<TomsPermissions />);
  await userEvent.click(await screen.findByRole("switch", { name: /Build forms/ }));
  await changeElsewhere("tom", { permissions: ["clients.read", "mail.send"] });
  await screen.findByText(/This person was changed elsewhere while you were editing: Send mail/);
  expect(screen.getByRole("switch", { name: /Build forms/ })).toHaveProperty("checked", true);
  expect(screen.getByRole("switch", { name: /Send mail/ })).toHaveProperty("checked", true);
  await save();
  await waitFor(() => expect(stored.tom.permissions).toEqual(["clients.read", "forms.manage", "mail.send"]));
});

test("case: a colleague says that the parties must not meet, while the case is being edited, saving does not undo that", async () => {
  open(<TheCase />);
  const matter = await type("Matter", "The house and the pension");
  const flags = { ...stored.theCase.flags, mustNotMeet: true };
  await changeElsewhere("theCase", { flags });
  await screen.findByText(/This case was changed elsewhere while you were editing: Safeguarding and urgency/);
  expect(matter).toHaveProperty("value", "The house and the pension");
  await save();
  await waitFor(() => expect(stored.theCase).toMatchObject({ matter: "The house and the pension", flags }));
});

test("contact: the empty row of its address, when it is compared with what is stored, is no change", () => {
  const stands = contactValues(stored.contact);
  const moved = { ...stored.contact, address: { lines: ["2 High Street"], postcode: "", country: "" } };
  expect(stands.address.lines).toEqual(["1 High Street", ""]);
  const typed = { ...stands, address: { ...stands.address, lines: ["1 High Street", "", ""] } };
  const merged = mergeVersions(CONTACT_FIELDS, { base: stands, theirs: contactValues(moved), mine: typed });
  expect(merged).toMatchObject({ changed: ["address"], clashing: [], values: contactValues(moved) });
});

test("file: a colleague takes readers away, while its name is being edited, saving does not give them back", async () => {
  open(<TheFile />);
  await type("Name", "letter to Owen.pdf");
  stored.file = { ...stored.file, visibility: MEDIATOR_ONLY, version: 5 };
  await save();
  const kept = { name: "letter to Owen.pdf", visibility: MEDIATOR_ONLY, version: 6 };
  await waitFor(() => expect(stored.file).toMatchObject(kept));
});

test("a page: something on it was changed elsewhere, when what is sent is refused as stale, it is read anew", async () => {
  open(
    <>
      <Profile />
      <Stale />
    </>,
  );
  await field("First name");
  stored.profile = { ...stored.profile, firstName: "Inés", version: 2 };
  await userEvent.click(screen.getByRole("button", { name: "Send late" }));
  await waitFor(async () => expect(await field("First name")).toHaveProperty("value", "Inés"));
});
