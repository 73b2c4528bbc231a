import {
  anyOf,
  each,
  isYes,
  isYesOrUnsure,
  line,
  lines,
  needed,
  oneOf,
  page,
  simple,
  tells,
  yesNo,
  yesNoUnsure,
  type FormTemplate,
} from "./parts.ts";

export const PARENTING: FormTemplate = {
  id: "parenting",
  name: "Parenting information",
  kind: "questionnaire",
  about:
    "The children one by one, how things are arranged now, and what each parent hopes for. To send before a session about children.",
  content: {
    title: "About the children",
    readers: "practice",
    pages: [
      page("children_page", "The children", "Tell us about each child as if we were to meet them tomorrow.", [
        each(
          "children",
          "Your children",
          "Child",
          [
            line("child_name", "First name", needed),
            simple("birth_date", "child_birth_date", "Date of birth", needed),
            line("child_school", "School or nursery"),
            lines("child_likes", "What are they like, and what do they enjoy?"),
            yesNoUnsure("child_needs", "Do they have health or learning needs?"),
            lines("child_needs_words", "Tell us more", { visibleIf: isYesOrUnsure("child_needs") }),
          ],
          needed,
        ),
      ]),
      page("now", "How it is now", "", [
        oneOf(
          "living",
          "Where do the children live?",
          {
            with_me: "Mostly with me",
            with_other: "Mostly with their other parent",
            shared: "About half with each of us",
            differs: "It is different for each child",
          },
          needed,
        ),
        lines("week", "What does an ordinary week look like?"),
        lines("works", "What works well?"),
        lines("difficult", "What is difficult?"),
        anyOf("contact_ways", "How do you two talk about the children?", {
          in_person: "In person",
          phone: "By phone",
          messages: "By messages",
          app: "By a parenting app",
          through_others: "Through somebody else",
          not_at_all: "We do not",
        }),
      ]),
      page("future", "What you hope for", "There is no right answer, and nothing here binds you.", [
        lines("hope_time", "Time with each of you"),
        lines("hope_holidays", "Holidays and special days"),
        lines("hope_school", "School, health and religion"),
        lines("hope_handover", "Handing over and keeping in touch"),
        lines("hope_money", "Costs for the children"),
        lines("other_parent", "What does the other parent do well?"),
      ]),
      page(
        "voices",
        "The children’s own voice",
        "Children of about ten and older can be asked whether they would like to talk with a mediator trained for that. Nobody has to.",
        [
          yesNoUnsure("child_told", "Do the children know that you are talking with a mediator?"),
          yesNoUnsure("child_voice", "Would you be open to that for your children?"),
          yesNoUnsure("child_worry", "Are you worried about a child’s safety with anybody?", {
            ...needed,
            sensitivity: "screening",
            ...tells("child_worry", "Worried about a child’s safety: speak with them alone"),
          }),
          lines("child_worry_words", "What worries you?", {
            sensitivity: "screening",
            visibleIf: isYesOrUnsure("child_worry"),
          }),
          yesNo("anything_else", "Is there anything else?"),
          lines("anything_else_words", "Tell us", { visibleIf: isYes("anything_else") }),
        ],
      ),
    ],
    thanks: {
      title: "Thank you",
      text: "Your mediator reads this before you meet. The other parent is not shown what you wrote.",
    },
  },
};
