// What somebody said in confidence leaves it by no copy of its bytes, and only by who answers for the case.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { PERMISSIONS } from "@app/shared/access";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, forParty, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";
import { anUnscreenedMiam, authorise } from "../support/server/assessments.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aClient, aStaffUser, scopeOf, type TestPerson } from "../support/server/people.ts";
import { aSignedCase, SIGNED_ON } from "../support/server/signed.ts";
import { changeTeam } from "../support/visibility/case-team.ts";

const { smtp, app, practice } = aSendingPractice();

describe("the bytes of a file", () => {
  const CONTENT = "I would take half";
  const built = forEachTest(() => aCase(practice));

  const keep = (visibility: Visibility, place: { clientId: string | null; caseId: string | null }, content = CONTENT) =>
    storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(content)]), {
      name: "words.txt",
      visibility,
      ...place,
    });
  const inCase = () => ({ clientId: null, caseId: built.theCase.id });
  const send = async (to: string, content = CONTENT) => {
    const file = { mimeType: "text/plain", name: "a.txt", content: Buffer.from(content).toString("base64") };
    return (await sendByFunction(app, practice, INES, { to: [to], attachments: [file] })).status;
  };
  const toBoth = async () => [await send(built.first.email), await send(built.second.email)];

  test.each<[string, (partyId: string) => Visibility, number[]]>([
    ["said apart", caucusOf, [409, 409]],
    ["for the mediators alone", (about) => ({ scope: "mediator", partyIds: [], aboutPartyIds: [about] }), [409, 409]],
    ["for their own eyes", forParty, [409, 200]],
    ["for their eyes", (partyId) => ({ scope: "party", partyIds: [partyId], aboutPartyIds: [] }), [409, 200]],
    ["shared", () => SHARED, [200, 200]],
  ])(
    "imap-send: one of a party that is %s, when it is sent to the other and to them, then: $2",
    async (_what, of, got) => {
      await keep(of(built.p2.partyId), inCase());
      expect(await toBoth()).toEqual(got);
      expect(await send(built.first.email, "A leaflet")).toBe(200);
      expect(smtp.received).toHaveLength(got.filter((status) => status === 200).length + 1);
    },
  );

  test("imap-send: one that is kept for a client, in no case, goes to them and to no stranger nor other client, also once it was deleted", async () => {
    const { id } = await keep(SHARED, { clientId: built.first.id, caseId: null });
    expect(await toBoth()).toEqual([200, 409]);
    const carl = await practice.api.clients.create.mutate(aClient({ email: "carl@example.org" }));
    for (const to of ["carl@example.org", "court@example.org"]) expect(await send(to)).toBe(409);
    await practice.api.files.remove.mutate({ ids: [id] });
    expect(await send(carl.email)).toBe(409);
    await keep(SHARED, { clientId: carl.id, caseId: null });
    expect(await send(carl.email)).toBe(200);
    expect(await toBoth()).toEqual([200, 409]);
  });

  test("imap-send: one that is kept for a client, in no case, goes to who stands on their side, and in no case against them", async () => {
    await keep(SHARED, { clientId: built.first.id, caseId: null });
    const again = await practice.api.casework.create.mutate(
      aCaseInput([built.first.id, built.second.id], { caseRef: "" }),
    );
    const own = { caseId: built.theCase.id, partyId: built.p1.partyId };
    const other = { caseId: again.id, partyId: again.parties[1]?.partyId ?? "" };
    for (const [name, stands] of [
      ["own", [own]],
      ["other", [other]],
      ["both", [own, other]],
    ] as const) {
      const { id: contactId } = await practice.api.contacts.create.mutate(
        aContact({ email: `${name}@law.example.org` }),
      );
      for (const side of stands)
        await practice.api.contacts.link.mutate({ id: contactId, changeId: newId(), role: "solicitor", ...side });
    }
    expect(await send("own@law.example.org")).toBe(200);
    for (const to of ["other@law.example.org", "both@law.example.org"]) expect(await send(to)).toBe(409);
  });

  test.each([
    ["another case", true],
    ["the same case", false],
  ])(
    "imap-send and compose: one that is for one party, when it goes to who speaks for them and in %s against them, is refused; what all have goes to them",
    async (_where, isElsewhere) => {
      const { p1, p2, first } = built;
      const other = isElsewhere
        ? await practice.api.casework.create.mutate(aCaseInput([built.second.id, built.first.id], { caseRef: "" }))
        : built.theCase;
      const opponent = isElsewhere ? (other.parties[0]?.partyId ?? "") : p2.partyId;
      const solicitor = async (email: string, sides: { caseId: string; partyId: string }[]) => {
        const { id } = await practice.api.contacts.create.mutate(aContact({ email }));
        for (const side of sides)
          await practice.api.contacts.link.mutate({ id, changeId: newId(), role: "solicitor", ...side });
      };
      const own = { caseId: built.theCase.id, partyId: p1.partyId };
      await solicitor("own@law.example.org", [own]);
      await solicitor("both@law.example.org", [own, { caseId: other.id, partyId: opponent }]);
      const { id } = await keep(forParty(p1.partyId), inCase());
      expect([await send("own@law.example.org"), await send("both@law.example.org")]).toEqual([200, 409]);
      const draft = aLetterTo("both@law.example.org", { clientId: first.id, caseId: own.caseId, fileIds: [id] });
      const { problems } = await practice.api.compose.check.mutate(draft);
      expect(problems.map(({ code }) => code)).toContain("outsider");
      await keep(SHARED, inCase(), "An agenda");
      expect(await send("both@law.example.org", "An agenda")).toBe(200);
    },
  );

  test.each([caucusOf, forParty])(
    "imap-send: when it is kept for another client too, then it stays where it may not be read",
    async (of) => {
      const other = await practice.api.clients.create.mutate(aClient({ email: "carl@example.org" }));
      await keep(SHARED, { clientId: other.id, caseId: null });
      await keep(of(built.p2.partyId), inCase());
      expect(await send(built.first.email)).toBe(409);
      expect(await send(other.email)).toBe(409);
      expect(smtp.received).toEqual([]);
    },
  );

  async function upload(visibility: Visibility, caseId = built.theCase.id, clientId = built.first.id) {
    const input = { id: newId(), name: "again.txt", clientId, caseId, visibility };
    const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
      method: "POST",
      headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
      body: CONTENT,
    });
    return { status: response.status, text: await response.text() };
  }

  test("POST /files: what a party said in confidence, when it is uploaded again for others of this or another case, then it is refused; for the practice, or in another’s confidence with the practice, it is taken", async () => {
    await keep(caucusOf(built.p2.partyId), inCase());
    const { partyId } = built.p1;
    const open: Visibility = { scope: "party", partyIds: [partyId], aboutPartyIds: [] };
    for (const visibility of [SHARED, open]) {
      const { status, text } = await upload(visibility);
      expect(status).toBe(400);
      expect(text).toContain("not for everybody who would read it here");
    }
    for (const visibility of [PRACTICE_ONLY, caucusOf(partyId)]) expect((await upload(visibility)).status).toBe(201);
    const { theCase, first } = await aCase(practice);
    expect((await upload(SHARED, theCase.id, first.id)).status).toBe(400);
  });

  test("POST /files: what its party let out, when it is uploaded again for others of the case, then it is taken", async () => {
    const { partyId } = built.p2;
    const { id } = await keep(caucusOf(partyId), inCase());
    const consent = { grantedByPartyId: partyId, at: new Date().toISOString(), how: "In the room" };
    await practice.api.files.release.mutate({ newId: newId(), id, readers: SHARED, consent });
    expect((await upload(SHARED)).status).toBe(201);
  });
});

describe("a consent", () => {
  const built = forEachTest(async () => {
    await authorise(practice);
    return aSignedCase(practice, "kept");
  });
  const idOf = async ({ api }: Pick<TestPerson, "api">) => (await api.auth.status.query()).user?.userId ?? "";
  const consent = () => ({
    grantedByPartyId: built.p1.partyId,
    at: new Date().toISOString(),
    how: "In the room",
  });
  const theirs = () => caucusOf(built.p1.partyId);
  type Api = TestPerson["api"];

  /** Each makes something in confidence, and gives the call by which somebody lets it out. */
  const RELEASES: [string, () => Promise<(api: Api) => Promise<unknown>>][] = [
    [
      "notes.release",
      async () => {
        const { id } = await practice.api.notes.create.mutate({
          id: newId(),
          kind: "caucus",
          body: richTextOf("Ten, and no more"),
          caseId: built.theCase.id,
          clientId: null,
          visibility: theirs(),
        });
        const released = { id, body: richTextOf("Ten"), consent: consent() };
        return (api) => api.notes.release.mutate({ newId: newId(), ...released });
      },
    ],
    [
      "files.release",
      async () => {
        const { id } = await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(newId())]), {
          name: "offer.txt",
          clientId: null,
          caseId: built.theCase.id,
          visibility: theirs(),
        });
        return (api) => api.files.release.mutate({ newId: newId(), id, readers: SHARED, consent: consent() });
      },
    ],
    [
      "sessions.releaseProposal",
      async () => {
        const place = { caseId: built.theCase.id, meetingId: null };
        const { id } = await practice.api.sessions.create.mutate({ id: newId(), ...place });
        const proposalId = newId();
        await practice.api.sessions.addProposal.mutate({
          id,
          changeId: newId(),
          proposalId,
          issue: "Home",
          text: "Half the house",
          byPartyId: built.p1.partyId,
          visibility: theirs(),
          countersId: null,
          release: null,
        });
        const change = () => ({ id, changeId: newId(), proposalId, newProposalId: newId(), consent: consent() });
        return (api) => api.sessions.releaseProposal.mutate(change());
      },
    ],
    [
      "casework.changeConfidences",
      async () => {
        const { id, version, confidences } = await practice.api.cases.get.query({ id: built.theCase.id });
        const signatures = [built.p1, built.p2].map(({ partyId }) => ({ partyId, on: SIGNED_ON }));
        const to = confidences === "none" ? ("kept" as const) : ("none" as const);
        const change = { id, version, to, reason: "Both asked for it", signatures };
        return (api) => api.casework.changeConfidences.mutate(change);
      },
    ],
    [
      "assessments.strike",
      async () => {
        const { theCase, p1 } = built;
        const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
        const { id, version } = await practice.api.assessments.record.mutate(anUnscreenedMiam(whose));
        return (api) => api.assessments.strike.mutate({ id, version, reason: "It was somebody else" });
      },
    ],
  ];

  test.each(RELEASES)(
    "%s: by somebody who does not answer for the case, whatever they may, is refused; by its mediator and the owner it is done",
    async (_name, confided) => {
      const permissions = PERMISSIONS.filter((each) => each !== "assigned_only");
      const staff = await aStaffUser(app, practice, { role: 3, permissions });
      const other = await aStaffUser(app, practice, { role: 2, permissions });
      const mediator = await aStaffUser(app, practice, { role: 2, permissions });
      await changeTeam(practice, practice, built.theCase, { mediators: [await idOf(mediator)] });
      for (const allowed of [mediator, practice]) {
        const letOut = await confided();
        for (const { api } of [staff, other]) expect(await refusal(letOut(api))).toMatchObject({ code: "FORBIDDEN" });
        await letOut(allowed.api);
      }
    },
  );

  test("files.release: what is in nobody's confidence, by somebody who does not answer for the case, is done without a consent", async () => {
    const staff = await aStaffUser(app, practice, { role: 3, permissions: ["clients.read", "documents.manage"] });
    const { id } = await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from("An agenda")]), {
      name: "agenda.txt",
      clientId: null,
      caseId: built.theCase.id,
      visibility: PRACTICE_ONLY,
    });
    const release = { newId: newId(), id, readers: SHARED, consent: null };
    expect(await staff.api.files.release.mutate(release)).toMatchObject({ visibility: SHARED });
  });
});
