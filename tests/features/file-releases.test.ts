// Whose consent lets a file go to parties who do not read it yet.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { type FileMark, NO_MARK } from "@app/shared/files";
import { caucusOf, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aStaffUser, aClient, aPractice, scopeOf } from "../support/server/people.ts";
import { aSignedCase } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const aFile = (caseId: string, visibility: Visibility, mark: FileMark) =>
  storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(newId())]), {
    clientId: null,
    caseId,
    name: "offer.txt",
    visibility,
    mark,
  });
const release = (id: string, grantedByPartyId: string | null, readers = SHARED) => {
  const at = new Date().toISOString();
  const consent = grantedByPartyId ? { grantedByPartyId, at, how: "By phone" } : null;
  return practice.api.files.release.mutate({ id, newId: newId(), readers, consent });
};
const only = (partyId: string): Visibility => ({ scope: "party", partyIds: [partyId], aboutPartyIds: [] });

describe("what was shared before somebody joined", () => {
  const built = forEachTest(() => aSignedCase(practice, "kept"));
  const PRIVILEGED: FileMark = { privilege: "confidential", isFinancial: false };

  async function joins(): Promise<string> {
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
    const party = { clientId, role: "participant" as const, side: "" };
    const { parties } = await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party });
    return parties.at(-1)?.partyId ?? "";
  }
  const shownTo = async (partyId: string) =>
    (await practice.api.partyView.preview.query({ caseId: built.theCase.id, partyId })).items.map(({ id }) => id);

  test.each(["confidential", "without_prejudice"] as const)(
    "files.release: a file marked %s, when somebody joined since, then one who had it agrees, and else nobody gets it",
    async (privilege) => {
      const { id } = await aFile(built.theCase.id, SHARED, { privilege, isFinancial: false });
      const joined = await joins();
      for (const readers of [SHARED, only(joined)])
        expect(await refusal(release(id, null, readers))).toMatchObject({
          code: "BAD_REQUEST",
          fields: { consent: expect.stringContaining("shared before somebody joined") },
        });
      expect((await refusal(release(id, joined))).fields).toHaveProperty(["consent.grantedByPartyId"]);
      expect(await shownTo(joined)).toEqual([]);
      const released = await release(id, built.p2.partyId);
      expect(released.consent).toMatchObject({ grantedByPartyId: built.p2.partyId });
      expect(await shownTo(joined)).toEqual([released.id]);
    },
  );

  test("files.release: what was shared and is for the practice alone now, when somebody joined since, then one who had it agrees", async () => {
    const { id, version, name, tags } = await aFile(built.theCase.id, SHARED, PRIVILEGED);
    await practice.api.files.update.mutate({ id, version, name, tags, visibility: PRACTICE_ONLY });
    await joins();
    expect((await refusal(release(id, null))).fields).toHaveProperty("consent");
    await release(id, built.p1.partyId);
  });

  test("files.release: when it has no such mark, or all had it, then nobody's consent belongs to it", async () => {
    const [unmarked, privileged] = [
      await aFile(built.theCase.id, SHARED, NO_MARK),
      await aFile(built.theCase.id, SHARED, PRIVILEGED),
    ];
    expect((await refusal(release(privileged.id, built.p1.partyId))).fields).toHaveProperty("consent");
    await joins();
    expect((await refusal(release(unmarked.id, built.p1.partyId))).fields).toHaveProperty("consent");
    await release(unmarked.id, null);
  });
});

describe("financial disclosure for one party's eyes", () => {
  const FINANCIAL: FileMark = { privilege: "open", isFinancial: true };

  test.each(["none", "kept"] as const)(
    "files.release: when the agreement keeps confidences: %s, then it is open to the others without a consent",
    async (confidences) => {
      const { theCase, p1 } = await aSignedCase(practice, confidences);
      const { id } = await aFile(theCase.id, only(p1.partyId), FINANCIAL);
      expect((await refusal(release(id, p1.partyId))).fields).toHaveProperty("consent");
      expect(await release(id, null)).toMatchObject({ visibility: SHARED, consent: null });
    },
  );

  test("files.update: what some alone read, when it is marked as open finances, then only by who answers for the case, with why", async () => {
    const { theCase, p1 } = await aSignedCase(practice, "none");
    const { id, version, name } = await aFile(theCase.id, only(p1.partyId), NO_MARK);
    const helper = await aStaffUser(app, practice, {
      permissions: ["clients.read", "clients.write", "documents.manage"],
    });
    const marked = { id, version, name, tags: [], visibility: only(p1.partyId), mark: FINANCIAL };
    const why = { ...marked, markReason: "It is her payslip" };
    expect((await refusal(helper.api.files.update.mutate(why))).fields).toHaveProperty("mark");
    expect((await refusal(practice.api.files.update.mutate(marked))).fields).toHaveProperty("markReason");
    expect(await practice.api.files.update.mutate(why)).toMatchObject({ mark: FINANCIAL });
  });

  test("files.release: another document for their eyes alone, when it is released, then it needs their consent still", async () => {
    const { theCase, p1 } = await aSignedCase(practice, "none");
    const { id } = await aFile(theCase.id, only(p1.partyId), NO_MARK);
    expect((await refusal(release(id, null))).fields).toHaveProperty("consent");
  });
});

test.each(["returns", "is found never to have left"] as const)(
  "files.release: beside the moment in which a party %s, then who comes reads nothing that was let out while they were away",
  async (how) => {
    for (let round = 0; round < 6; round += 1) {
      const { theCase, p1, p2 } = await aSignedCase(practice, "kept");
      const at = ({ id, version }: typeof theCase) => ({ id, version });
      const gone = await practice.api.casework.moveParty.mutate({
        ...at(await practice.api.cases.get.query({ id: theCase.id })),
        partyId: p2.partyId,
        to: "withdrawn",
        on: new Date().toISOString().slice(0, 10),
        reason: "No more",
        isOwnDecision: true,
      });
      const file = await aFile(theCase.id, caucusOf(p1.partyId), NO_MARK);
      const back =
        how === "returns"
          ? practice.api.casework.moveParty.mutate({
              ...at(gone),
              partyId: p2.partyId,
              to: "responded",
              on: new Date().toISOString().slice(0, 10),
              reason: "They wrote",
            })
          : practice.api.casework.correct.mutate({ ...at(gone), partyId: p2.partyId, reason: "It was somebody else" });
      const [came, released] = await Promise.allSettled([back, release(file.id, p1.partyId)]);
      expect(came.status).toBe("fulfilled");
      const { items } = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p2.partyId });
      expect([released.status, items.filter(({ kind }) => kind === "file")]).toEqual([released.status, []]);
    }
  },
);
