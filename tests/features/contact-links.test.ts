import { newId } from "@app/server/core/ids";
import type { CaseContact } from "@app/shared/contacts";
import { expect, test } from "vitest";
import { aContact, contactFields } from "../support/access/contacts-access.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

const rolesOf = (items: CaseContact[]) => items.map(({ role, partyId }) => ({ role, partyId }));

test("contacts.link: a solicitor of one party stands in the case, on the contact's page and in the count", async () => {
  const { api } = await aPractice(app);
  const { theCase, p2 } = await aCase({ api });
  const { id } = await api.contacts.create.mutate(aContact());
  await api.contacts.link.mutate({ changeId: newId(), id, caseId: theCase.id, role: "solicitor", partyId: p2.partyId });
  const linked = await api.contacts.link.mutate({
    changeId: newId(),
    id,
    caseId: theCase.id,
    role: "referrer",
    partyId: null,
  });
  expect(linked.links).toMatchObject([
    { role: "solicitor", caseRef: theCase.caseRef, clientId: p2.clientId, parties: [{ label: "P2", name: p2.name }] },
    { role: "referrer", status: "enquiry", parties: [{ label: "P1" }, { label: "P2" }] },
  ]);
  const { items } = await api.contacts.ofCase.query({ id: theCase.id });
  expect(items).toMatchObject([
    { contactId: id, role: "solicitor", visibility: { scope: "party", partyIds: [p2.partyId] } },
    { contactId: id, role: "referrer", visibility: { scope: "staff", partyIds: [] } },
  ]);
  expect((await api.contacts.list.query({})).items).toMatchObject([{ caseCount: 1 }]);
});

test("contacts.link: the same link twice at once is kept once, and the second is told so", async () => {
  const { api } = await aPractice(app);
  const { theCase } = await aCase({ api });
  const { id } = await api.contacts.create.mutate(aContact());
  const link = { id, caseId: theCase.id, role: "expert", partyId: null } as const;
  const results = await Promise.allSettled(
    [1, 2, 3, 4].map(() => api.contacts.link.mutate({ changeId: newId(), ...link })),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const again = await refusal(api.contacts.link.mutate({ changeId: newId(), ...link }));
  expect(again.message).toBe("Harriet Lowell has this role in the case already. Choose another one.");
  expect(rolesOf((await api.contacts.ofCase.query({ id: theCase.id })).items)).toEqual([
    { role: "expert", partyId: null },
  ]);
});

test("contacts.link: a party of another case, or an archived contact, is refused and nothing is linked", async () => {
  const { api } = await aPractice(app);
  const { theCase } = await aCase({ api });
  const other = await aCase({ api });
  const { id } = await api.contacts.create.mutate(aContact());
  const link = { id, caseId: theCase.id, role: "solicitor" } as const;
  const foreign = await refusal(api.contacts.link.mutate({ changeId: newId(), ...link, partyId: other.p1.partyId }));
  expect(foreign.code).toBe("NOT_FOUND");
  await api.contacts.setStatus.mutate({ ids: [id], status: "archived" });
  const archived = await refusal(api.contacts.link.mutate({ changeId: newId(), ...link, partyId: null }));
  expect(archived.code).toBe("PRECONDITION_FAILED");
  expect(archived.message).toContain("Bring this contact back first");
  expect((await api.contacts.ofCase.query({ id: theCase.id })).items).toEqual([]);
});

test("contacts.link: a link does not get in the way of who edits the contact meanwhile", async () => {
  const { api } = await aPractice(app);
  const { theCase } = await aCase({ api });
  const { id, version } = await api.contacts.create.mutate(aContact());
  await api.contacts.link.mutate({ changeId: newId(), id, caseId: theCase.id, role: "expert", partyId: null });
  const saved = await api.contacts.update.mutate({ id, version, contact: contactFields({ title: "Dr" }) });
  expect(saved).toMatchObject({ title: "Dr", links: [{ role: "expert" }] });
});

test("contacts.unlink: only that link goes; one that is gone is missing, and nothing is recorded of it", async () => {
  const { api } = await aPractice(app);
  const { theCase, p1 } = await aCase({ api });
  const { id } = await api.contacts.create.mutate(aContact());
  const link = { id, caseId: theCase.id, role: "solicitor" } as const;
  await api.contacts.link.mutate({ changeId: newId(), ...link, partyId: p1.partyId });
  await api.contacts.link.mutate({ changeId: newId(), ...link, partyId: null });
  await api.contacts.unlink.mutate({ ...link, partyId: p1.partyId });
  expect(rolesOf((await api.contacts.ofCase.query({ id: theCase.id })).items)).toEqual([
    { role: "solicitor", partyId: null },
  ]);
  const again = await refusal(api.contacts.unlink.mutate({ ...link, partyId: p1.partyId }));
  expect(again.code).toBe("NOT_FOUND");
  const { items } = await api.timeline.list.query({ caseId: theCase.id });
  expect(items.filter(({ text }) => text.includes("taken off"))).toHaveLength(1);
});

test("S72: contacts.link and unlink: somebody who was linked to the wrong party, then the practice reads of it and no party does", async () => {
  const practice = await aPractice(app);
  const { api } = practice;
  const { theCase, p1, p2 } = await aCase({ api });
  const { id } = await api.contacts.create.mutate(aContact({ firstName: "Rhea", lastName: "Refugeworker" }));
  const link = { id, caseId: theCase.id, role: "other", partyId: p2.partyId } as const;
  await api.contacts.link.mutate({ changeId: newId(), ...link });
  const told = () =>
    Promise.all([p1, p2].map((party) => toldToParty(app, practice, theCase.id, party))).then((all) => all.join());
  expect(await told()).not.toContain("refugeworker");
  await api.contacts.unlink.mutate(link);
  expect(await told()).not.toContain("refugeworker");
  const { items } = await api.timeline.list.query({ caseId: theCase.id });
  expect(items.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["Rhea Refugeworker added: other", "Rhea Refugeworker taken off: other"]),
  );
});
