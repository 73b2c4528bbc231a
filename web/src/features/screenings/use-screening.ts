import type { Case, Party } from "@app/shared/cases";
import {
  type CompleteScreening,
  type SentScreening,
  completeScreeningSchema,
  type Screening,
  type ScreeningList,
  SIGNPOSTED_MAX,
  SUITABILITIES,
} from "@app/shared/screenings";
import { type Supporter, whatSupporterAsks } from "@app/shared/screening-company";
import { asksWhyNeither, risksIn, whatRisksAsk } from "@app/shared/screening-limits";
import { questionsOf, toolFor } from "@app/shared/screening-tools";
import { api } from "../../core/api.ts";
import { useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";

export const YES_NO = { yes: "Yes", no: "No" } as const;
type YesNo = "" | keyof typeof YES_NO;

/** Whatever is chosen is chosen by whoever screens: until then it is empty, which the schema refuses. */
interface Values {
  heldOn: string;
  channel: CompleteScreening["channel"] | "";
  company: CompleteScreening["company"] | "";
  supporter: Supporter;
  spokenWith: string;
  hasLooked: boolean;
  answers: Record<string, { answer: string; words: string; safeBecause: string }>;
  suitable: CompleteScreening["suitable"] | "";
  measures: CompleteScreening["measures"];
  whyNeither: string;
  reasons: string;
  /** One a line. */
  signposted: string;
  isReferred: YesNo;
  referral: { agency: string; on: string; reference: string };
  isConsulted: YesNo;
  consulted: { who: string; on: string; whyNot: string };
  hasScore: YesNo;
  score: { name: string; score: string; on: string };
}

export interface ScreeningProps {
  theCase: Pick<Case, "id" | "domain">;
  party: Pick<Party, "partyId" | "clientId" | "name" | "label">;
  /** The day of the last one of this party; null where this is the first. */
  heldLastOn: string | null;
  /** What was found of this party in other cases, which whoever screens them looks at first. */
  elsewhere: readonly Pick<ScreeningList["elsewhere"][number], "screeningId" | "words">[];
  onClose: () => void;
}

/** The form of one party's screening, with the questions that are asked in this kind of case. */
export function useScreening({ theCase, party, heldLastOn, elsewhere, onClose }: ScreeningProps) {
  const complete = api.screenings.complete.useMutation();
  const changed = useScreeningChanged();
  const tool = toolFor(theCase.domain);
  const place = {
    caseId: theCase.id,
    partyId: party.partyId,
    toolVersion: tool.version,
    elsewhere: elsewhere.map(({ screeningId }) => screeningId),
  };
  const form = useServerForm<Values>({
    initialValues: {
      heldOn: "",
      channel: "",
      company: "",
      supporter: { who: "", whySafe: "", isUnconnected: false },
      spokenWith: "",
      hasLooked: false,
      answers: Object.fromEntries(questionsOf(tool).map(({ id }) => [id, { answer: "", words: "", safeBecause: "" }])),
      suitable: "",
      measures: [],
      whyNeither: "",
      reasons: "",
      signposted: "",
      isReferred: "",
      referral: { agency: "", on: "", reference: "" },
      isConsulted: "",
      consulted: { who: "", on: "", whyNot: "" },
      hasScore: "",
      score: { name: "", score: "", on: "" },
    },
    validate: (values) => ({ ...unchosen(values, elsewhere.length > 0), ...checkAll(draftOf(values, place)) }),
    submit: async (values, id) => {
      const screening: Screening = await complete.mutateAsync({
        id,
        ...completeScreeningSchema.parse(draftOf(values, place)),
      });
      await changed();
      notify(keptMessage(screening, party.name));
      onClose();
    },
  });
  const { heldOn } = form.values;
  const laterOn = heldLastOn && heldOn && heldOn < heldLastOn ? heldLastOn : null;
  return { form, tool, laterOn };
}

/** Reads anew all that a screening changes. */
export function useScreeningChanged(): () => Promise<unknown> {
  const utils = api.useUtils();
  return () =>
    Promise.all([
      utils.screenings.invalidate(),
      utils.cases.invalidate(),
      utils.casework.invalidate(),
      utils.safeguarding.invalidate(),
      utils.tasks.invalidate(),
      utils.timeline.invalidate(),
    ]);
}

function keptMessage({ status, suitable, judgement }: Screening, name: string): string {
  if (status === "superseded") return `The screening of ${name} is kept. One that was held later goes on counting.`;
  if (judgement === "needed")
    return `The screening of ${name} is kept. Joint meetings wait until a mediator has read and confirmed it.`;
  return suitable === "no"
    ? `The screening of ${name} is kept. Joint meetings and sessions wait from now on.`
    : `The screening of ${name} is kept`;
}

export type ScreeningForm = ReturnType<typeof useScreening>["form"];

interface DraftAnswer {
  answer: string;
  words: string;
  safeBecause?: string | undefined;
}

type Draft = Omit<CompleteScreening, "channel" | "company" | "answers" | "suitable" | "consulted"> & {
  channel: Values["channel"];
  company: Values["company"];
  answers: Record<string, DraftAnswer | undefined>;
  suitable: Values["suitable"];
  consulted: Omit<CompleteScreening["consulted"], "isConsulted"> & { isConsulted: boolean | undefined };
};
const check = validateWith<SentScreening, Draft>(completeScreeningSchema);

/** What risks and supporters ask for stands at its fields from the start: the schema asks only once each answer is there. */
const checkAll = (draft: Draft): Record<string, string> => ({
  ...whatSupporterAsks(draft),
  ...whatRisksAsk({ ...draft, isConsulted: draft.consulted.isConsulted, whyNeither: draft.whyNeither ?? "" }),
  ...check(draft),
});

function unchosen(
  { suitable, isReferred, hasScore, hasLooked }: Values,
  isFoundElsewhere: boolean,
): Record<string, string> {
  return {
    ...(isFoundElsewhere && !hasLooked && suitable !== "no" ? { hasLooked: "Confirm that you looked at this" } : {}),
    ...(hasScore === "" ? { hasScore: "Say whether a scored tool was used" } : {}),
    ...(suitable === "no" && isReferred === "" ? { isReferred: "Say whether somebody was told" } : {}),
  };
}

/** As it is sent: of what was not chosen nothing goes along. */
function draftOf(
  values: Values,
  { elsewhere, ...place }: Pick<Draft, "caseId" | "partyId" | "toolVersion"> & { elsewhere: string[] },
): Draft {
  const { answers, suitable, measures, reasons, signposted, isReferred, referral, isConsulted, consulted } = values;
  const isSomebody = isConsulted === "yes";
  const riskIds = suitable === "no" ? [] : risksIn(answers).map(({ id }) => id);
  return {
    ...place,
    heldOn: values.heldOn,
    ...(values.hasLooked ? { lookedAt: elsewhere } : {}),
    channel: values.channel,
    company: values.company,
    supporter: values.company === "supporter" ? values.supporter : null,
    ...(values.spokenWith ? { spokenWith: values.spokenWith } : {}),
    answers: Object.fromEntries(
      Object.entries(answers).map(([id, { answer, words, safeBecause }]) => [
        id,
        { answer, words: answer === "no" ? "" : words, ...(riskIds.includes(id) ? { safeBecause } : {}) },
      ]),
    ),
    suitable,
    measures: suitable === "yes_with_measures" ? measures : [],
    reasons,
    signposted: suitable === "no" ? linesOf(signposted) : [],
    referral: suitable === "no" && isReferred === "yes" ? referral : null,
    consulted: {
      isConsulted: saidOf(isConsulted),
      who: isSomebody ? consulted.who : "",
      on: isSomebody ? consulted.on : "",
      whyNot: isConsulted === "no" ? consulted.whyNot : "",
    },
    score: values.hasScore === "yes" ? values.score : null,
    ...(asksWhyNeither({ answers, suitable, isConsulted: saidOf(isConsulted) })
      ? { whyNeither: values.whyNeither }
      : {}),
  };
}

/** Undefined until it is said. */
export const saidOf = (answer: YesNo): boolean | undefined => (answer === "" ? undefined : answer === "yes");

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, SIGNPOSTED_MAX + 1);

export const suitabilityOf = (value: string): Values["suitable"] => SUITABILITIES.find((each) => each === value) ?? "";
