import type { AskedTool } from "./tool.ts";

/** Asked until who was with somebody was asked apart from whether anybody listens. Nobody is screened with it any more. */
export const FIRST_WORKPLACE_TOOL: AskedTool = {
  version: "2026-11-workplace",
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
        { id: "contact", text: "Is there a way of reaching you, at work or at home, that would not be safe?" },
      ],
    },
    {
      title: "What happened at work, and since",
      questions: [
        { id: "physical", text: "Has anybody hurt you, blocked your way, thrown things or threatened to?" },
        {
          id: "sexual",
          text: "Has anybody touched you, or spoken or written to you, in a sexual way that you did not want?",
        },
        { id: "emotional", text: "Have you been put down, shouted at, humiliated or left out again and again?" },
        { id: "economic", text: "Have your pay, hours, leave, references or chances been used against you?" },
        { id: "control", text: "Has anybody watched you or your messages, or controlled whom you may speak to?" },
        { id: "since", text: "Has it gone on, or become worse, since it was reported or since you worked apart?" },
        { id: "outside", text: "Are you, or were you, close to the other person outside work?" },
      ],
    },
    {
      title: "Others at risk",
      questions: [
        { id: "child_harm", text: "Are you worried about the safety of a child or of another adult?" },
        {
          id: "childrens_services",
          text: "Is Children’s services or adult social care in touch with anybody about this?",
        },
        { id: "police", text: "Have the police been called, or are there orders or conditions to keep away?" },
        { id: "formal", text: "Is there a grievance, a disciplinary case, a suspension or a claim?" },
      ],
    },
    {
      title: "What makes harm more likely",
      questions: [
        { id: "weapons", text: "Does anybody have a weapon, or speak of one, or work with something used as one?" },
        { id: "substances", text: "Do alcohol or drugs play a part, with you or with the other person?" },
        { id: "mental_health", text: "Is either of you unwell in mind, or has anybody spoken of ending their life?" },
        { id: "capacity", text: "Is there anything that makes it hard for you to follow a talk, remember or decide?" },
      ],
    },
    {
      title: "Standing up for yourself",
      questions: [
        {
          id: "dependency",
          text: "Does your right to work here, a visa, your home or your pay depend on the other person?",
        },
        { id: "fear", text: "Are you afraid of the other person, or of what follows if you say what you want?" },
        { id: "power", text: "Does the other person manage you, or have friends who decide about you?" },
        { id: "pressure", text: "Is anybody pressing you to mediate, or telling you what to agree to?" },
      ],
    },
    {
      title: "What you need",
      questions: [
        {
          id: "together",
          text: "Would it be hard for you to be in one room, or on one screen, with the other person?",
        },
        { id: "language", text: "Would you rather speak another language, or sign?" },
        {
          id: "needs",
          text: "Do you need anything to take part: breaks, a supporter, easy access, help with reading?",
        },
      ],
    },
  ],
};
