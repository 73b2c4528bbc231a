import { richTextOf } from "@app/shared/rich-text";

const SIGNED = "\n{{sender.name}}\n{{practice.name}}";

const starter = (key: string, name: string, subject: string, text: string) => ({
  starterKey: key,
  name,
  subject,
  body: richTextOf(`{{client.salutation}},\n${text}${SIGNED}`),
});

/** What every practice begins with: they say nothing of anybody but whom they are written to. */
export const STARTER_TEMPLATES = [
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
