import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { wordsOfInvitations } from "@app/server/features/mail-templates/mail-templates.migration";
import { confidentialityIn } from "@app/server/features/mail-templates/confidentiality";
import { starterTemplates } from "@app/server/features/mail-templates/starter-templates";
import { mediatorTypeSchema } from "@app/shared/users";
import { isMergeField, MERGE_FIELDS, piecesOf, resolveLine, resolveMergeFields } from "@app/shared/merge-fields";
import { plainText, richTextOf } from "@app/shared/rich-text";
import fc from "fast-check";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { aPractice, aStaffUser } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const fields = { name: "Papers", subject: "Your papers", body: richTextOf("Hello {{client.firstName}}") };

const WORKPLACE_INVITATIONS = ["Workplace: first invitation", "Workplace: second invitation", "Workplace: phone call"];
const TO_EMPLOYER = "To the employer: whether mediation takes place";

describe("templates", () => {
  test("templates: when a new practice opens them twice at once, it has nine to begin with", async () => {
    const other = await aPractice(app);
    const lists = await Promise.all([other.api.mailTemplates.list.query(), other.api.mailTemplates.list.query()]);
    expect((await other.api.mailTemplates.list.query()).items).toHaveLength(9);
    expect(lists).toHaveLength(2);
  });

  test("templates: what every practice begins with uses only fields that there are", async () => {
    const { items } = await practice.api.mailTemplates.list.query();
    const wholes = await Promise.all(items.map(({ id }) => practice.api.mailTemplates.get.query({ id })));
    const texts = wholes.flatMap(({ subject, body }) => [subject, plainText(body)]);
    const paths = texts.flatMap(piecesOf).flatMap(({ path }) => path ?? []);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !isMergeField(path))).toEqual([]);
  });

  test("templates: whatever a practice mediates, none promises confidence without its limits", () => {
    const spoken = mediatorTypeSchema.options.flatMap((mediates) =>
      starterTemplates(mediates, "england_wales").flatMap(({ name, body }) => {
        const text = plainText(body);
        expect(text).not.toMatch(/stays with (me|us)|not passed on|nothing of what is said|does not learn/i);
        if (!text.includes("confidential")) return [];
        expect(text).toContain(confidentialityIn(mediates));
        return name;
      }),
    );
    expect(spoken).toEqual(expect.arrayContaining([...WORKPLACE_INVITATIONS, "Before a workplace mediation"]));
    expect(confidentialityIn("family")).toMatch(
      /first meeting is confidential, also from the other.*risk of harm.*the law requires.*no secrets between.*except contact details.*financial facts are open/,
    );
    expect(confidentialityIn("civil")).toMatch(/risk of harm.*the law requires/);
  });

  test("templates: when a practice says that it mediates something else, it gets those of that once, and keeps the rest", async () => {
    const { api } = await aPractice(app);
    const names = async () => (await api.mailTemplates.list.query()).items.map(({ name }) => name);
    const family = await names();
    const about = { practiceName: "Harbour", region: "ireland", timeZone: "Europe/Dublin" } as const;
    const rest = { caseNumberPrefix: "", isTwoFactorRequired: false, certificatesCountFrom: "attendance" as const };
    await api.practices.update.mutate({ ...about, ...rest, mediatorType: "workplace", version: 0 });
    const added = ["Before a workplace mediation", TO_EMPLOYER, ...WORKPLACE_INVITATIONS];
    expect((await names()).toSorted()).toEqual([...family, ...added].toSorted());
    const before = (await api.mailTemplates.list.query()).items.find(({ name }) => name.startsWith("Before a work"));
    await api.mailTemplates.remove.mutate({ id: before?.id ?? "" });
    expect((await names()).toSorted()).toEqual([...family, TO_EMPLOYER, ...WORKPLACE_INVITATIONS].toSorted());
    await api.practices.update.mutate({ ...about, ...rest, mediatorType: "civil", version: 1 });
    expect(await names()).toContain("Before a mediation day");
  });

  test("templates: a change to what somebody else changed meanwhile is refused", async () => {
    const { id, version } = await practice.api.mailTemplates.create.mutate({ id: newId(), ...fields });
    const changed = await practice.api.mailTemplates.update.mutate({ ...fields, id, version, name: "Papers, new" });
    expect(changed.version).toBe(1);
    const late = practice.api.mailTemplates.update.mutate({ ...fields, id, version });
    expect(await refusal(late)).toMatchObject({ code: "CONFLICT" });
  });

  test("templates: one that was deleted is off the list until it is brought back", async () => {
    const { id } = await practice.api.mailTemplates.create.mutate({ id: newId(), ...fields, name: "To delete" });
    const names = async () => (await practice.api.mailTemplates.list.query()).items.map(({ name }) => name);
    await practice.api.mailTemplates.remove.mutate({ id });
    expect(await names()).not.toContain("To delete");
    await practice.api.mailTemplates.restore.mutate({ id });
    expect(await names()).toContain("To delete");
  });

  test("mailTemplates.list: when the practice has long templates, then it holds none of their texts, which get gives", async () => {
    const other = await aPractice(app);
    const body = richTextOf("Guardword ".repeat(1000).trim());
    const { id } = await other.api.mailTemplates.create.mutate({ ...fields, id: newId(), body });
    const list = await other.api.mailTemplates.list.query();
    expect(list.items.map((row) => row.id)).toContain(id);
    expect(JSON.stringify(list)).not.toContain("Guardword");
    expect((await other.api.mailTemplates.get.query({ id })).body).toEqual(body);
  });

  test("wordsOfInvitations: a letter of invitation that nobody changed, when it is read, then says who asks, what about and by when to answer; one that was changed stays", async () => {
    const { api, ownerId } = await aPractice(app);
    await api.mailTemplates.list.query();
    const before = richTextOf("A short reply is enough");
    const place = (starterKey: string) => ({ ownerId, starterKey });
    const templates = mongoose.connection.collection("mail_templates");
    await templates.updateMany({ ownerId }, { $set: { body: before } });
    await templates.updateOne(place("invite-family-second"), { $set: { version: 1 } });
    for (let times = 0; times < 2; times += 1) await wordsOfInvitations(createLogger("silent"));
    const textOf = async (key: string) => plainText((await templates.findOne(place(key)))?.["body"]);
    expect(await textOf("invite-family-first")).toContain("by {{invitation.replyBy}} if you can");
    expect(await textOf("invite-family-first")).toContain("{{invitation.request}} It is about {{invitation.matter}}.");
    expect(await textOf("invite-family-first")).toContain("the court expects you to have attended one unless");
    const elsewhere = starterTemplates("family", "scotland").map(({ body }) => plainText(body));
    expect(elsewhere.join()).not.toContain("court expects");
    expect(await textOf("invite-family-second")).toBe("A short reply is enough");
    expect(await textOf("papers")).toBe("A short reply is enough");
  });

  test("templates: who may not send mail gets none", async () => {
    const reader = await aStaffUser(app, practice, { permissions: ["mail.read"] });
    expect(await refusal(reader.api.mailTemplates.list.query())).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("merge fields", () => {
  test("merge fields: no field is about anybody but the recipient, their case and the practice", () => {
    const kinds = new Set(Object.keys(MERGE_FIELDS).map((path) => path.split(".")[0]));
    expect([...kinds]).toEqual(["client", "case", "invitation", "meeting", "practice", "mediator", "sender", "today"]);
  });

  test("merge fields: when a value is missing, the field stays and is named", () => {
    expect(
      resolveLine("Dear {{client.firstName}}, {{meeting.date}}, {{party.other}}", { "client.firstName": "Maya" }),
    ).toEqual({
      content: "Dear Maya, {{meeting.date}}, {{party.other}}",
      missing: ["meeting.date", "party.other"],
      said: { "client.firstName": "Maya" },
    });
  });

  test("merge fields: a value that looks like a field is not resolved again", () => {
    expect(resolveLine("{{client.firstName}}", { "client.firstName": "{{today}}", today: "Monday" }).content).toBe(
      "{{today}}",
    );
  });

  test("merge fields: a text without fields comes out as it went in, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const isPlain = piecesOf(text).every(({ path }) => path === null);
        fc.pre(isPlain);
        expect(resolveLine(text, {}).content).toBe(text);
      }),
    );
  });

  test("merge fields: in lists and quotes they are resolved too", () => {
    const body = {
      type: "doc" as const,
      content: [
        { type: "blockquote" as const, content: richTextOf("{{today}}").content ?? [] },
        {
          type: "bulletList" as const,
          content: [{ type: "listItem" as const, content: richTextOf("{{today}}").content ?? [] }],
        },
      ],
    };
    const { content, missing } = resolveMergeFields(body, { today: "Monday" });
    expect(plainText(content)).toBe("Monday\nMonday");
    expect(missing).toEqual([]);
  });
});
