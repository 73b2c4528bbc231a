import {
  consent,
  isYes,
  line,
  lines,
  needed,
  oneOf,
  page,
  simple,
  yesNo,
  yesNoUnsure,
  type FormTemplate,
} from "./parts.ts";

export const ENQUIRY: FormTemplate = {
  id: "enquiry",
  name: "Enquiry",
  kind: "lead",
  about: "For your website: who they are, how to reach them safely and what it is about. What is sent becomes a lead.",
  content: {
    title: "Ask us about mediation",
    readers: "practice",
    pages: [
      page("enquiry_page", "Your enquiry", "We answer on working days. If you or a child are in danger, call 999.", [
        simple("name", "name", "Your name", { ...needed, mapTo: "lead.name" }),
        simple("email", "email", "Email", {
          ...needed,
          help: "Use an address that only you can read.",
          mapTo: "lead.email",
        }),
        simple("phone", "phone", "Phone", { mapTo: "lead.phone" }),
        yesNo("may_phone", "If you gave a number, may we call it and leave a message?", { mapTo: "lead.mayPhone" }),
        oneOf(
          "about",
          "What is it about?",
          {
            family_children: "Children",
            family_money: "Money or property after parting",
            family_both: "Both",
            workplace: "Work",
            community: "Neighbours or the community",
            other: "Something else",
          },
          { ...needed, mapTo: "lead.domain" },
        ),
        lines("summary", "Tell us a little, if you like", { mapTo: "lead.summary" }),
        yesNoUnsure("worried", "Are you worried about your safety, or a child’s?", {
          sensitivity: "screening",
          flag: {
            when: { joint: "and", of: [{ fieldId: "worried", operator: "one_of", value: ["yes", "unsure"] }] },
            text: "Worried about safety: read how to reach them before anything is sent",
          },
        }),
        line("safe_times", "When is it safe to call?", { visibleIf: isYes("may_phone"), mapTo: "lead.safeTimes" }),
      ]),
      page(
        "other_page",
        "The other person",
        "We need the name to check that we can act for you. We do not contact them now.",
        [
          simple("name", "other_name", "Their name", { mapTo: "lead.otherName" }),
          consent(
            "privacy",
            "How we use your answers",
            "I agree that this practice keeps what I sent to answer me.",
            needed,
          ),
        ],
      ),
    ],
    thanks: { title: "Thank you", text: "We have your enquiry and answer within one working day." },
  },
};
