import type { AskedTool } from "./tool.ts";

/** Asked until who was with somebody was asked apart from whether anybody listens. Nobody is screened with it any more. */
export const SECOND_GENERAL_TOOL: AskedTool = {
  version: "2026-11-25-general",
  domains: [],
  groups: [
    {
      title: "Talking now, and here",
      questions: [
        { id: "overheard", text: "Is anybody with you, or able to hear or read this?" },
        {
          id: "unsafe_now",
          text: "Is there anything that makes it unsafe or hard for you to talk now, where you are?",
        },
        { id: "contact", text: "Is there a way of reaching you, or a time, that would not be safe?" },
      ],
    },
    {
      title: "The other side and you",
      questions: [
        { id: "physical", text: "Has anybody been hurt, threatened or followed, or have things been damaged?" },
        { id: "sexual", text: "Has anybody touched, spoken or written in a sexual way that was not wanted?" },
        { id: "emotional", text: "Have you been insulted, harassed or humiliated again and again?" },
        { id: "economic", text: "Has anybody used money, debts, work or your home to press you?" },
        { id: "control", text: "Does anybody watch you, or control where you go or whom you see?" },
        { id: "since", text: "Has it gone on since you last dealt with each other, or since somebody stepped in?" },
      ],
    },
    {
      title: "Others, and what makes harm more likely",
      questions: [
        { id: "child_harm", text: "Are you worried about the safety of a child or of another adult?" },
        {
          id: "childrens_services",
          text: "Is Children’s services or adult social care in touch with anybody about this?",
        },
        { id: "police", text: "Have the police been called, or are there orders or conditions to keep away?" },
        { id: "weapons", text: "Does anybody have a weapon, or speak of one, or use something as one?" },
        { id: "substances", text: "Do alcohol or drugs play a part?" },
        { id: "mental_health", text: "Is anybody unwell in mind, or has anybody spoken of ending their life?" },
        { id: "capacity", text: "Is there anything that makes it hard for you to follow a talk, remember or decide?" },
      ],
    },
    {
      title: "Standing up for yourself",
      questions: [
        {
          id: "dependency",
          text: "Does your right to stay in the country, your home, work or care depend on the other side?",
        },
        { id: "fear", text: "Are you afraid of the other side, or of what follows if you say what you want?" },
        { id: "power", text: "Does the other side usually get their way, or know much more than you?" },
        { id: "pressure", text: "Is anybody pressing you to mediate, or telling you what to agree to?" },
      ],
    },
    {
      title: "What you need",
      questions: [
        { id: "together", text: "Would it be hard for you to be in one room, or on one screen, with the other side?" },
        { id: "language", text: "Would you rather speak another language, or sign?" },
        {
          id: "needs",
          text: "Do you need anything to take part: breaks, a supporter, easy access, help with reading?",
        },
      ],
    },
  ],
};
