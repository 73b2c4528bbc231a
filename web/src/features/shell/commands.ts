import type { CurrentUser } from "@app/shared/users";
import {
  IconCalendarCog,
  IconChecklist,
  IconForms,
  IconInbox,
  IconLink,
  IconMailFast,
  IconNotes,
  IconTableImport,
} from "@tabler/icons-react";
import { type Command, newCommands, onlyUsable } from "./new-commands.ts";

interface Place {
  today: string;
  /** The client whose page is open. */
  clientId: string | undefined;
}

/** What can be begun from anywhere. */
function allCommands({ today, clientId }: Place): Command[] {
  const note = clientId
    ? { to: `/clients/view/${clientId}?tab=notes&open=new` }
    : { to: "/clients", hint: "Choose the client first" };
  return [
    ...newCommands(today),
    {
      label: "New note",
      words: "add create write",
      icon: IconNotes,
      needs: ["clients.read", "clients.write"],
      ...note,
    },
    {
      label: "New task",
      words: "add create reminder to-do todo",
      to: "/tasks?add=true",
      icon: IconChecklist,
      needs: ["clients.read", "clients.write"],
    },
    {
      label: "New enquiry",
      words: "add create lead call",
      to: "/leads?add=true",
      icon: IconInbox,
      needs: ["leads.manage"],
    },
    {
      label: "New form",
      words: "add create questionnaire survey",
      to: "/settings/forms?add=true",
      icon: IconForms,
      needs: ["forms.manage"],
    },
    {
      label: "Answers to forms",
      words: "read review submissions questionnaires results spam",
      to: "/settings/forms?answers=all",
      icon: IconInbox,
      needs: ["forms.manage", "clients.read"],
    },
    {
      label: "New booking link",
      words: "add create online self-booking",
      to: "/calendar?view=links&link=new",
      icon: IconLink,
      needs: ["clients.read", "calendar.manage"],
    },
    {
      label: "Calendar settings",
      words: "change set working hours days off holidays feed",
      to: "/calendar?settings=open",
      icon: IconCalendarCog,
      needs: ["calendar.manage"],
    },
    {
      label: "Write to many clients",
      words: "send new mailing bulk email message newsletter",
      to: "/email-settings?tab=mailings",
      icon: IconMailFast,
      needs: ["clients.read", "mail.send"],
    },
    {
      label: "Import clients and cases",
      words: "upload csv excel spreadsheet data",
      to: "/account?tab=data&import=new",
      icon: IconTableImport,
      needs: ["clients.read", "clients.write", "data.export"],
    },
  ];
}

/** Those that this person may use. */
export const commandsFor = (user: CurrentUser, place: Place): Command[] => onlyUsable(user, allCommands(place));

const FILLING = new Set(["a", "an", "the", "my"]);

/** Those in which every word that was typed begins a word, in whatever order; all where none was. */
export function commandsLike(commands: readonly Command[], text: string): Command[] {
  const typed = wordsOf(text).filter((word) => !FILLING.has(word));
  return commands.filter(({ label, words }) => {
    const known = wordsOf(`${label} ${words}`);
    return typed.every((word) => known.some((each) => each.startsWith(word)));
  });
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);
