import type { MediatorType, Region } from "@app/shared/regions";
import { richTextOf } from "@app/shared/rich-text";
import { confidentialityIn } from "./confidentiality.ts";
import { invitationsOf } from "./invitation-templates.ts";
import { type Starter, starter } from "./starter.ts";

const OF_ALL: readonly Starter[] = [
  starter(
    "papers",
    "Papers before a session",
    "Your papers",
    "Here are your papers for {{meeting.date}} at {{meeting.time}}. Please read them and tell me if anything is wrong. You do not need to reply to anyone else.",
  ),
  starter(
    "first-meeting",
    "Invitation to a first meeting",
    "Your appointment",
    "I look forward to meeting you on {{meeting.date}} at {{meeting.time}} ({{meeting.place}}). This first meeting is yours alone: you can ask whatever you like, and you decide afterwards whether to go on.\nPlease tell me if the time does not suit you, or if there is anything that would make it easier for you to come.",
  ),
  starter(
    "documents",
    "Reminder of documents",
    "Documents we still need",
    "So that we can make good use of our time on {{meeting.date}}, please send me the documents we talked about. An answer to this message with the files attached is enough.\nIf something is hard to find, tell me, and we will see how to go on without it.",
  ),
  starter(
    "agreement",
    "Agreement to sign",
    "An agreement for you to read",
    "The agreement is attached. Please read it in your own time. If you agree, sign it and send it back to me; if a question comes up, ask me before you sign.",
  ),
  starter(
    "follow-up",
    "Follow-up after a meeting",
    "After our meeting",
    "Thank you for coming. I have written down what you need to know of the next steps, and I am here if a question comes up in the meantime.",
  ),
  starter(
    "closing",
    "Closing a case",
    "Closing your file",
    "Our work on {{case.reference}} has come to its end, and I am closing the file. You can ask me for a copy of your papers at any time.\nI wish you well.",
  ),
];

const OF_ONE: Record<MediatorType, readonly Starter[]> = {
  family: [],
  workplace: [
    starter(
      "workplace-first",
      "Before a workplace mediation",
      "Before we meet",
      `Thank you for agreeing to talk. Taking part is your choice, and your employer hears from me only whether mediation takes place. ${confidentialityIn("workplace")}\nWe meet alone first, on {{meeting.date}} at {{meeting.time}} ({{meeting.place}}). Please make sure that you are free of other duties for that time.`,
    ),
    // To whoever commissioned it, so it greets no client.
    {
      starterKey: "workplace-employer",
      name: "To the employer: whether mediation takes place",
      subject: "Mediation {{case.reference}}",
      body: richTextOf(
        "Dear Sir or Madam,\n{{case.takesPlace}} ({{case.reference}}).\nThis is the one thing that we tell you, as everybody who was asked to take part has been told. Please do not ask them or us for more.\n{{sender.name}}\n{{practice.name}}",
      ),
    },
  ],
  civil: [
    starter(
      "civil-before",
      "Before a mediation day",
      "Preparing for the mediation",
      `We meet on {{meeting.date}} at {{meeting.time}} ({{meeting.place}}). Please send me a short summary of how you see the dispute, and say in it what I may not pass on. ${confidentialityIn("civil")} Whoever comes for you needs the authority to settle on the day.`,
    ),
  ],
  community: [
    starter(
      "community-visit",
      "Offer of a visit",
      "May I visit you?",
      "I am a mediator, and on nobody's side. I would like to hear how things look to you, on {{meeting.date}} at {{meeting.time}} ({{meeting.place}}). It costs you nothing, and you decide afterwards whether to go on.",
    ),
  ],
  other: [],
};

/** What a practice begins with that mediates this: they say nothing of anybody but whom they are written to. */
export const starterTemplates = (mediates: MediatorType, region: Region): Starter[] => [
  ...OF_ALL,
  ...OF_ONE[mediates],
  ...invitationsOf(mediates, region),
];
