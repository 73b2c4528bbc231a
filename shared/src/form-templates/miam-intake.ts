import {
  anyOf,
  consent,
  each,
  isYes,
  line,
  lines,
  needed,
  oneOf,
  page,
  say,
  simple,
  when,
  yesNo,
  yesNoUnsure,
  type FormTemplate,
} from "./parts.ts";
import { safeContactPage } from "./safe-contact.ts";

export const MIAM_INTAKE: FormTemplate = {
  id: "miam_intake",
  name: "MIAM intake",
  kind: "intake",
  about:
    "Who they are, how to reach them safely, the family and what they want to sort out. To send before a first meeting.",
  content: {
    title: "Before your first meeting",
    readers: "practice",
    pages: [
      page("about_you", "About you", "This takes about ten minutes. You can stop at any time and go on later.", [
        simple("name", "name", "Your name", { ...needed, mapTo: "client.name" }),
        line("known_as", "What would you like us to call you?", { mapTo: "client.knownAs" }),
        simple("birth_date", "birth_date", "Your date of birth", { ...needed, mapTo: "client.dateOfBirth" }),
        simple("email", "email", "Email", { mapTo: "client.email" }),
        simple("phone", "mobile", "Mobile", { mapTo: "client.mobile" }),
        simple("address", "address", "Where you live", {
          help: "Only we see it. We do not pass it on to anyone.",
          sensitivity: "mediator",
          mapTo: "client.address",
        }),
      ]),
      safeContactPage(),
      page("family", "Your family", "", [
        oneOf(
          "relationship",
          "How are you connected with the other person?",
          {
            married: "Married or in a civil partnership",
            divorced: "Divorced, or our civil partnership has ended",
            lived_together: "We live or lived together",
            parents_only: "We are parents and have not lived together",
            relative: "I am a grandparent or another relative",
            other: "Something else",
          },
          needed,
        ),
        yesNo("has_children", "Are there children under 18?", needed),
        each(
          "children",
          "The children",
          "Child",
          [
            line("child_name", "First name", needed),
            simple("birth_date", "child_birth_date", "Date of birth"),
            oneOf("child_lives", "Where does this child live now?", {
              with_me: "Mostly with me",
              with_other: "Mostly with their other parent",
              shared: "With both of us",
              elsewhere: "Somewhere else",
            }),
          ],
          { visibleIf: isYes("has_children"), requiredIf: isYes("has_children") },
        ),
        yesNoUnsure("court", "Is there a court case, or a date for a hearing?", {
          ...needed,
          flag: { when: isYes("court"), text: "There is a court case: ask for the date" },
        }),
        lines("court_details", "Which court, and when?", { visibleIf: isYes("court") }),
      ]),
      page("wishes", "What you want to sort out", "A few words are enough. You can tell us more when we meet.", [
        anyOf(
          "topics",
          "What would you like to talk about?",
          {
            children: "Arrangements for the children",
            home: "The home",
            money: "Money, savings and debts",
            pensions: "Pensions",
            other: "Something else",
          },
          needed,
        ),
        lines("wishes_words", "What matters most to you?"),
        oneOf("tried", "Have you tried mediation before?", {
          no: "No",
          once: "Yes, with this person",
          other: "Yes, with somebody else",
        }),
      ]),
      page("support", "What helps you take part", "", [
        anyOf("needs_list", "Is there anything that would help you?", {
          interpreter: "An interpreter",
          step_free: "Getting in without steps",
          hearing: "Help with hearing",
          reading: "Help with reading or writing",
          breaks: "More time, or breaks",
          supporter: "Somebody who comes with me",
        }),
        lines("needs", "Tell us what we should know", { mapTo: "client.needs" }),
        oneOf("format", "How would you like to meet us?", {
          in_person: "In person",
          online: "By video",
          either: "Either is fine",
        }),
        say(
          "alone",
          "You meet us alone",
          "The first meeting is with you only. If you could be overheard at home, tell us and we find another place.",
          when("format", "one_of", ["online", "either"]),
        ),
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
      text: "Your mediator reads this before you meet. If something changes, tell us when we speak.",
    },
  },
};
