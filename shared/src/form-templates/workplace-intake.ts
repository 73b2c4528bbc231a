import {
  anyOf,
  consent,
  line,
  lines,
  needed,
  oneOf,
  page,
  simple,
  tells,
  yesNoUnsure,
  type FormTemplate,
} from "./parts.ts";
import { safeContactPage } from "./safe-contact.ts";

export const WORKPLACE_INTAKE: FormTemplate = {
  id: "workplace_intake",
  name: "Workplace intake",
  kind: "intake",
  about:
    "For each person before their individual meeting. The employer is not told what is answered, only whether mediation takes place.",
  content: {
    title: "Before your individual meeting",
    readers: "practice",
    pages: [
      page(
        "about_you",
        "About you",
        "Your employer asked us to offer mediation. They are told only whether it takes place, never what you say here.",
        [
          simple("name", "name", "Your name", { ...needed, mapTo: "client.name" }),
          line("organisation", "Where you work", { mapTo: "client.organisation" }),
          line("job", "What you do there"),
          simple("email", "email", "Email", {
            help: "A private address is best: a work mailbox may be read by others.",
            mapTo: "client.email",
          }),
          simple("phone", "mobile", "Mobile", { mapTo: "client.mobile" }),
        ],
      ),
      safeContactPage(),
      page("situation", "What has happened", "In your own words. It need not be complete.", [
        oneOf(
          "relation",
          "How do you work with the other person?",
          {
            manager: "They manage me",
            report: "I manage them",
            peer: "We are colleagues",
            other: "Something else",
          },
          needed,
        ),
        lines("story", "What is the difficulty, as you see it?", { sensitivity: "mediator" }),
        lines("effect", "How does it affect you and your work?", { sensitivity: "mediator" }),
        lines("good_outcome", "What would be different if it went well?", { sensitivity: "mediator" }),
        anyOf(
          "formal",
          "Is any of this going on?",
          {
            grievance: "A grievance",
            disciplinary: "A disciplinary matter",
            sick_leave: "Sick leave",
            tribunal: "A tribunal claim, or early conciliation",
            union: "Support by a union",
            none: "None of these",
          },
          { ...needed, sensitivity: "mediator" },
        ),
      ]),
      page("meeting", "Meeting", "Mediation is your choice. Saying no has no consequences from us.", [
        yesNoUnsure("willing", "Would you like to try mediation?", needed),
        yesNoUnsure("pressure", "Do you feel pressed to take part?", {
          ...needed,
          sensitivity: "screening",
          ...tells("pressure", "Feels pressed to take part"),
        }),
        yesNoUnsure("afraid", "Would you be afraid to be in one room with the other person?", {
          ...needed,
          sensitivity: "screening",
          ...tells("afraid", "Afraid to be in one room"),
        }),
        lines("needs", "What would help you take part?", {
          help: "Breaks, an interpreter, step-free access, a room away from work.",
          mapTo: "client.needs",
        }),
        consent(
          "privacy",
          "How we use your answers",
          "I have read how my answers are used, and I agree that this practice keeps them to prepare mediation.",
          needed,
        ),
      ]),
    ],
    thanks: {
      title: "Thank you",
      text: "Your mediator reads this before you meet, and nobody at your workplace does.",
    },
  },
};
