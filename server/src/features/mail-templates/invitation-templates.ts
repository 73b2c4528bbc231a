// What a practice begins with when it invites somebody: on whose request where they agreed to be named, the
// matter in neutral words, nothing that could be used against whoever reads it, what to do by when, and a way to say no.
import type { MediatorType, Region } from "@app/shared/regions";
import { richTextOf } from "@app/shared/rich-text";
import { confidentialityIn } from "./confidentiality.ts";
import { type Starter, starter } from "./starter.ts";

type Kind = "family" | "workplace" | "civil" | "general";
interface Choice {
  written: string;
  spoken: string;
}
const confidentialityOf = (kind: Kind): string => confidentialityIn(kind === "general" ? "other" : kind);

const REQUEST = "{{invitation.request}} It is about {{invitation.matter}}.";

const OWN_CHOICE: Choice = {
  written: "Taking part is your own choice. You can say yes, no, or not now, and you need not give a reason.",
  spoken: "Say that it is their own choice, that no answer is needed today, and that you are on nobody’s side.",
};
/**
 * Whoever would answer to an application is expected to attend a MIAM too (Practice Direction 3A, paragraph 2), and a
 * court may ask why somebody did not (Family Procedure Rules, rule 28.3(7)).
 */
const EXPECTED_AT_MIAM: Choice = {
  written:
    "Mediation is your own choice: you can say yes, no, or not now. The first meeting, called a MIAM, is yours alone. If the matter ever goes to a family court, the court expects you to have attended one unless you have a good reason not to, such as abuse, and it may ask for that reason.",
  spoken:
    "Say that mediation is their own choice, that no answer is needed today, and that you are on nobody’s side. Say too that, if the matter goes to a family court, the court expects each person to have attended a first meeting alone (a MIAM) unless there is a good reason not to, such as abuse, and may ask for that reason.",
};
const SAFE =
  "If you have any worry about your safety, or would rather be reached in another way or at another time, tell us that and nothing more. We will go by it.";
const REPLY_BY =
  "It helps us to hear from you either way, by {{invitation.replyBy}} if you can. A short reply is enough, and you can ask whatever you like first. If we have not heard from you by then, we may record that there was no answer. You can still write to us after that day.";

const SECOND =
  "Some time ago we wrote to you about a conversation with a mediator. It may not have reached you, or the time may not have been right, so we write once more.";

const CALL_OPENING =
  "For the call. First ask: “Is this a good moment, and can you talk freely?” If not, ask when to call again, and say nothing of what it is about. Leave no message with anybody else, and none on a machine unless they agreed to that.";
const callClosing = (kind: Kind, choice: Choice): string =>
  `Before they tell you how things are, say: “${confidentialityOf(kind)}” ${choice.spoken} Ask whether they feel safe to talk about mediation, and how they want to be reached. Say nothing of what anybody else told you.`;

interface Told {
  kind: Kind;
  name: string;
  choice: Choice;
}

const first = ({ kind, name, choice }: Told, about: string) =>
  starter(
    `invite-${kind}-first`,
    `${name}: first invitation`,
    "A message for you",
    `${REQUEST}\n${about}\n${choice.written} ${confidentialityOf(kind)}\n${SAFE}\n${REPLY_BY}`,
  );

const second = ({ kind, name, choice }: Told, about: string) =>
  starter(
    `invite-${kind}-second`,
    `${name}: second invitation`,
    "A message for you",
    `${SECOND} ${REQUEST}\n${about}\n${choice.written} ${confidentialityOf(kind)}\n${SAFE}\n${REPLY_BY}`,
  );

/** What to say: it goes to nobody, so it greets nobody. */
const call = ({ kind, name, choice }: Told, about: string): Starter => ({
  starterKey: `invite-${kind}-call`,
  name: `${name}: phone call`,
  subject: "A call",
  body: richTextOf(`${CALL_OPENING}\n${about}\n${callClosing(kind, choice)}`),
});

const ladder = (told: Told, about: { first: string; second: string; call: string }): Starter[] => [
  first(told, about.first),
  second(told, about.second),
  call(told, about.call),
];

const familyOf = (choice: Choice): Starter[] =>
  ladder(
    { kind: "family", name: "Family", choice },
    {
      first:
        "We are mediators for families, and on nobody’s side. We would like to hear from you whether a conversation with our help might be of use. The first step is a meeting that is yours alone: you learn how mediation works and what other ways there are.",
      second:
        "The first step is a meeting with a mediator that is yours alone. You would not meet anybody else there, and you decide afterwards whether to go on.",
      call: "Say who you are and that you are a mediator for families. Explain that the first meeting is theirs alone, what mediation is and what other ways there are, and ask whether they would like a time for it.",
    },
  );

const WORKPLACE = ladder(
  { kind: "workplace", name: "Workplace", choice: OWN_CHOICE },
  {
    first:
      "We are mediators, independent of your employer. We would like to hear from you whether mediation might be of use. The first step is an individual meeting, in which you tell us how things look to you. Your employer hears from us only whether mediation takes place.",
    second:
      "The first step is an individual meeting with a mediator who is independent of your employer. Your employer hears from us only whether mediation takes place.",
    call: "Call outside of meetings and not through a colleague. Say that you are independent of the employer, who hears only whether mediation takes place. Offer an individual meeting.",
  },
);

const CIVIL = ladder(
  { kind: "civil", name: "Civil", choice: OWN_CHOICE },
  {
    first:
      "We are mediators, and independent. We would like to hear whether you are open to settling it in a mediation. You are welcome to speak with your adviser first, or to let your adviser answer. We then tell you how the day works and what it costs.",
    second:
      "A mediation is without prejudice and binds nobody until both sides have signed. You are welcome to speak with your adviser first, or to let your adviser answer.",
    call: "If they have a legal adviser, call that adviser instead. Say that you are independent, how the day works and what it costs, and ask whether they are open to it.",
  },
);

const GENERAL = ladder(
  { kind: "general", name: "General", choice: OWN_CHOICE },
  {
    first:
      "I am a mediator, and on nobody’s side. I would like to hear how things look to you, and whether a conversation with my help might be of use. We would speak alone first, and you decide afterwards whether to go on.",
    second: "We would speak alone first: you would not meet anybody else, and you decide afterwards whether to go on.",
    call: "Say who you are and that you are on nobody’s side. Offer to hear how things look to them, alone, at a time and place that suits them.",
  },
);

const OF_OTHERS: Record<Exclude<MediatorType, "family">, readonly Starter[]> = {
  workplace: WORKPLACE,
  civil: CIVIL,
  community: GENERAL,
  other: GENERAL,
};

/** The invitations to mediation of this kind, as the law of the practice's region has it. */
export const invitationsOf = (kind: MediatorType, region: Region): readonly Starter[] => {
  if (kind !== "family") return OF_OTHERS[kind];
  return familyOf(region === "england_wales" ? EXPECTED_AT_MIAM : OWN_CHOICE);
};
