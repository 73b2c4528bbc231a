import {
  anyOf,
  isYesOrUnsure,
  lines,
  needed,
  oneOf,
  page,
  say,
  tells,
  yesNoUnsure,
  type FormTemplate,
} from "./parts.ts";

const PRIVATE = { sensitivity: "screening" } as const;

/** A question of which the mediator hears where the answer is yes or not sure. */
const asks = (id: string, label: string, told: string, help = "") =>
  yesNoUnsure(id, label, { ...needed, ...PRIVATE, help, ...tells(id, told) });

export const SAFETY_SCREENING: FormTemplate = {
  id: "safety_screening",
  name: "Safety questions",
  kind: "screening",
  about:
    "Asked of each person alone, before mediation and again when something changes. Only those who may read screenings see the answers. It prepares the talk about safety; it does not replace it.",
  content: {
    title: "A few questions for you alone",
    readers: "screening",
    pages: [
      page(
        "now",
        "Where you are now",
        "Answer these where nobody can look over your shoulder. You can leave this page at any time with the button at the top. The other person never sees your answers and is not told that you gave any.",
        [
          oneOf(
            "safe_now",
            "Is it safe for you to answer here and now?",
            {
              yes: "Yes",
              no: "No",
              unsure: "I am not sure",
            },
            {
              ...needed,
              ...PRIVATE,
              flag: {
                when: { joint: "and", of: [{ fieldId: "safe_now", operator: "one_of", value: ["no", "unsure"] }] },
                text: "Could not answer safely: arrange a safe time to talk",
              },
            },
          ),
        ],
        {
          jumps: [
            { when: { joint: "and", of: [{ fieldId: "safe_now", operator: "equals", value: "no" }] }, to: "stop_here" },
          ],
        },
      ),
      page(
        "hurt",
        "How you have been treated",
        "Think of the person you would mediate with. “I am not sure” is a good answer, and we can talk about it.",
        [
          asks("physical", "Have they ever hurt you, or threatened to?", "Physical harm or threats"),
          asks("sexual", "Have they ever made you do something sexual that you did not want?", "Sexual harm"),
          asks("emotional", "Do they often put you down, shout at you or frighten you?", "Emotional abuse"),
          asks("economic", "Have they kept money from you, or run up debts in your name?", "Economic abuse"),
          asks(
            "control",
            "Do they decide where you go, whom you see or what you wear, or check your phone?",
            "Control",
          ),
          asks(
            "since",
            "Since you parted, have they followed you, or kept contacting you when you asked them not to?",
            "What has happened since they parted",
            "If you still live together, answer for the last months.",
          ),
        ],
      ),
      page("children", "Children", "", [
        asks(
          "child_harm",
          "Are you worried that a child has been hurt, or has seen or heard somebody being hurt?",
          "Harm to a child",
        ),
        asks(
          "child_taken",
          "Are you worried that a child could be taken away from where they live?",
          "A child being taken away",
        ),
        asks(
          "childrens_services",
          "Have Children’s services been involved?",
          "Children’s services are or were involved",
        ),
      ]),
      page("risks", "Other risks", "", [
        asks("police", "Have the police been called because of either of you?", "The police have been called"),
        asks("orders", "Is there, or was there, a court order to keep somebody away?", "Orders to keep away"),
        asks("weapons", "Does either of you have weapons, or have they been used or talked about?", "Weapons"),
        asks("substances", "Does alcohol or do drugs cause problems for either of you?", "Alcohol or drugs"),
        asks(
          "mental_health",
          "Has either of you had thoughts of ending their life, or been seriously unwell in their mind?",
          "Mental health, or thoughts of ending a life",
        ),
        asks(
          "capacity",
          "Could it be hard for either of you to follow a talk and to decide?",
          "Following and deciding",
        ),
        asks(
          "dependency",
          "Does your home, your money, your care or your right to stay in the country depend on them?",
          "Dependency, such as on a visa",
        ),
      ]),
      page(
        "meeting",
        "Talking with each other",
        "",
        [
          asks("fear", "Are you afraid of them, or of what they would do if you disagreed?", "Fear"),
          asks("power", "Would it be hard for you to say what you want while they are there?", "An imbalance of power"),
          asks("pressure", "Has somebody pressed you to mediate?", "Pressure to mediate"),
          oneOf(
            "together",
            "Could you be in one room with them?",
            {
              yes: "Yes",
              with_help: "Yes, with some help",
              separate: "Only in separate rooms",
              online: "Only by video",
              no: "No",
              unsure: "I am not sure",
            },
            { ...needed, ...PRIVATE },
          ),
          anyOf(
            "helps",
            "What would help you feel safe?",
            {
              arrive_apart: "Arriving and leaving at other times",
              separate_rooms: "Separate rooms",
              supporter: "Somebody with me",
              breaks: "Being able to stop at any time",
              no_contact: "No contact between meetings",
            },
            PRIVATE,
          ),
          yesNoUnsure("language", "Would an interpreter or another help with language be useful?", PRIVATE),
          lines("more", "Is there anything else we should know?", PRIVATE),
          say(
            "help_now",
            "If you are in danger",
            "Call 999. If you cannot speak, press 55 when you are asked. The National Domestic Abuse Helpline is free at any hour: 0808 2000 247.",
            isYesOrUnsure("fear"),
          ),
        ],
        { jumps: [{ when: null, to: "end" }] },
      ),
      page(
        "stop_here",
        "We will ask you another time",
        "You do not have to answer more now. Press Continue, then Send, so that we know: we then find a safe time and place to talk. If you leave before, nobody is told.",
        [
          say(
            "danger",
            "If you are in danger",
            "Call 999. If you cannot speak, press 55 when you are asked. The National Domestic Abuse Helpline is free at any hour: 0808 2000 247.",
          ),
          lines("when_safe", "When and how could we reach you safely?", PRIVATE),
        ],
      ),
    ],
    thanks: {
      title: "Thank you",
      text: "A mediator reads this and talks with you alone before anything else happens.",
    },
  },
};
