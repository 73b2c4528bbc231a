// Cases of the invented practice that went other ways than straight on, each step taken as somebody at work would take it.
import { NOT_INCLUDED } from "@app/shared/child-inclusive";
import type { CreateCase } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { openCase } from "@app/server/features/casework/case-editing.service";
import { createClients } from "@app/server/features/clients/clients.service";
import { demoCertificate } from "./demo-cases.ts";
import { type Led, leading, type Move, today } from "./demo-leading.ts";
import { demoClient, isDemoOrganisation } from "./demo-people.ts";

/** Beside those whom the other cases have. */
const FIRST_PERSON = 500;

interface Opening extends Partial<Pick<CreateCase, "domain" | "issueScope" | "children" | "referral">> {
  matter: string;
  /** The sides of the parties, in their order; whoever stands alone has none. */
  sides: readonly string[];
}

interface Way {
  opening: Opening;
  lead: (led: Led, made: { scope: Scope; newcomer: string }) => Promise<void>;
}

const AGREED: Move["outcome"] = {
  code: "agreed_some",
  laaCode: "",
  laaReason: "",
  issues: [
    { label: "How work is handed over", kind: "", result: "agreed" },
    { label: "Who leads the team", kind: "", result: "not_agreed" },
  ],
  isWrittenUp: false,
  documents: [],
  isAdviceTold: true,
  narrative: "",
};
const settled = (label: string): Move["outcome"] => ({
  ...AGREED,
  code: "agreed_all",
  issues: [{ label, kind: "", result: "agreed" }],
});
const NOT_AGREED: Move["outcome"] = {
  code: "not_agreed",
  laaCode: "",
  laaReason: "",
  issues: [{ label: "The house", kind: "property_finance", result: "not_agreed" }],
  isWrittenUp: false,
  documents: [],
  isAdviceTold: true,
  narrative: "",
};
const TWO = ["", ""];

const WAYS: Way[] = [
  {
    opening: { matter: "Rang once, then went quiet", sides: [""] },
    lead: (led) =>
      led.move("not_proceeding", { reason: "Did not ring back after three messages", ending: "no_answer" }),
  },
  {
    opening: { matter: "A MIAM without the other participant", sides: TWO },
    async lead(led, { scope }) {
      await led.clear();
      await led.move("intake");
      await led.screen(0);
      const record = await led.attend(0);
      await led.move("awaiting_second_party");
      for (const days of [40, 29, 18]) await led.invite(1, addDays(today(), -days));
      await led.party(1, "no_response");
      await demoCertificate(scope, record);
      await led.move("not_proceeding", { reason: "The other participant never answered", ending: "no_answer" });
    },
  },
  {
    opening: { matter: "Withdrew after the MIAM", sides: TWO },
    async lead(led, { scope }) {
      await led.clear();
      await led.move("intake");
      await led.screen(0);
      const record = await led.attend(0);
      await led.move("awaiting_second_party");
      await led.party(0, "withdrawn", "Wants a judge to decide");
      await demoCertificate(scope, record);
      await led.move("not_proceeding", { reason: "The applicant withdrew", ending: "withdrew" });
    },
  },
  {
    opening: { matter: "Broke down, and the court sent them back", sides: TWO },
    async lead(led) {
      await led.mediate(2);
      await led.move("paused", { reason: "They wait for a valuation of the house" });
      await led.move("terminated", {
        reason: "No way forward on the house",
        ending: "broken_down",
        outcome: NOT_AGREED,
      });
      await led.move("assessing", { reason: "The court adjourned for them to mediate" });
    },
  },
  {
    opening: {
      matter: "Time with a grandchild",
      issueScope: "child_only",
      sides: ["Grandparents", "Grandparents", ""],
      children: [child("Robin", "2016-05-09")],
    },
    lead: (led) => led.mediate(3),
  },
  {
    opening: {
      matter: "Two team leads of one employer",
      domain: "workplace",
      issueScope: "other",
      sides: TWO,
      referral: { source: "employer", contactId: "", campaign: "" },
    },
    async lead(led) {
      await led.fund("employer");
      await led.mediate(2);
      await led.hold({ code: "agreed_some", text: "Handovers settled, the lead of the team open" });
      await led.move("concluded", { outcome: AGREED });
    },
  },
  {
    opening: { matter: "An invoice for a kitchen", domain: "civil", issueScope: "other", sides: TWO },
    async lead(led) {
      await led.mediate(2);
      await led.hold({ code: "agreed_all", text: "Half is paid now, and the doors are hung again in March" });
      await led.move("concluded", { outcome: settled("What is paid for the kitchen") });
    },
  },
  {
    opening: {
      matter: "Noise in a house of three households",
      domain: "community",
      issueScope: "other",
      sides: ["Upstairs", "Upstairs", "", ""],
    },
    async lead(led) {
      await led.mediate(4);
      await led.hold({ code: "agreed_all", text: "Quiet hours from ten, and a bell before parties" });
      await led.move("concluded", { outcome: settled("Quiet hours") });
    },
  },
  {
    opening: { matter: "A wrong step that was put right", sides: TWO },
    async lead(led) {
      await led.clear();
      await led.move("intake");
      await led.screen(0);
      await led.attend(0);
      await led.invite(1);
      await led.party(1, "refused", "Said no on the phone");
      await led.correct(1, "It was somebody else who rang");
    },
  },
  {
    opening: { matter: "Somebody joined later", sides: TWO },
    async lead(led, { newcomer }) {
      await led.clear();
      await led.move("intake");
      await led.screen(0);
      await led.attend(0);
      await led.join(newcomer);
      await led.clear();
      await led.invite(2);
    },
  },
];

function child(firstName: string, dateOfBirth: string): CreateCase["children"][number] {
  return { childId: newId(), firstName, dateOfBirth, livesWith: "", cim: NOT_INCLUDED };
}

/** A case for each way that cases go, led there from its first day. */
export async function demoWays(scope: Scope): Promise<void> {
  const people = WAYS.flatMap(({ opening }) => ["newcomer", ...opening.sides]);
  // Organisations attend no assessment meeting.
  const persons = Array.from({ length: 2 * people.length }, (_, index) => FIRST_PERSON + index).filter(
    (index) => !isDemoOrganisation(index),
  );
  const clients = await createClients(scope, persons.slice(0, people.length).map(demoClient));
  for (const { opening, lead } of WAYS) {
    const { sides, ...about } = opening;
    const [newcomer, ...parties] = clients.splice(0, sides.length + 1).map(({ id }) => id);
    const { id } = await openCase(scope, {
      ...COMMON,
      ...about,
      parties: parties.map((clientId, index) => partyOf(clientId, index, sides)),
      mediators: [{ userId: scope.userId, isLead: true }],
    });
    await lead(leading(scope, id), { scope, newcomer: newcomer ?? "" });
  }
}

const partyOf = (clientId: string, index: number, sides: readonly string[]): CreateCase["parties"][number] => ({
  clientId,
  role: index === 0 || (sides[index] === sides[0] && sides[0] !== "") ? "initiator" : "respondent",
  side: sides[index] ?? "",
});

const COMMON: Omit<CreateCase, "matter" | "mediators" | "parties"> = {
  caseRef: "",
  domain: "family",
  issueScope: "all_issues",
  format: "in_person",
  staffIds: [],
  children: [],
  referral: { source: "self", contactId: "", campaign: "" },
  flags: { safeguarding: "none", isUrgent: false, mustNotMeet: false },
  startedOn: addDays(today(), -90),
  nextReviewOn: "",
};
