import { lines, oneOf, page, rating, simple, when, yesNo, type FormTemplate } from "./parts.ts";

export const FEEDBACK: FormTemplate = {
  id: "feedback",
  name: "Feedback",
  kind: "feedback",
  about:
    "A short one for after mediation: how it was, whether it helped, what to do better. Nothing has to be answered.",
  content: {
    title: "How was it for you?",
    readers: "practice",
    pages: [
      page("experience", "Your experience", "It takes two minutes. Answer only what you like.", [
        rating("heard", "I was listened to", "Not at all", "Very much"),
        rating("fair", "It was fair to both of us", "Not at all", "Very much"),
        rating("safe", "I felt safe", "Not at all", "Very much", {
          flag: { when: when("safe", "lte", 2), text: "Did not feel safe" },
        }),
        rating("clear", "I understood what was going on", "Not at all", "Very much"),
        oneOf("outcome", "Did it help?", {
          a_lot: "Yes, a lot",
          somewhat: "Somewhat",
          no: "No",
          too_early: "It is too early to say",
        }),
      ]),
      page("words", "In your words", "", [
        lines("good", "What was good?"),
        lines("better", "What could we do better?"),
        yesNo("recommend", "Would you recommend us to somebody in your situation?"),
        yesNo("may_reply", "May we get in touch about this?"),
        simple("email", "reply_email", "Where may we write to?", {
          visibleIf: when("may_reply", "equals", "yes"),
          requiredIf: when("may_reply", "equals", "yes"),
        }),
      ]),
    ],
    thanks: { title: "Thank you", text: "We read every answer." },
  },
};
