import type { AskedTool } from "./tool.ts";

/** Asked until who was with somebody was asked apart from whether anybody listens. Nobody is screened with it any more. */
export const FIRST_FAMILY_TOOL: AskedTool = {
  version: "2026-11-family",
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
      title: "The other person and you, then and now",
      questions: [
        { id: "physical", text: "Has the other person ever hit, pushed, held or hurt you, or threatened to?" },
        { id: "sexual", text: "Were you ever made to do something sexual that you did not want?" },
        { id: "emotional", text: "Have you been put down, shouted at, humiliated or threatened again and again?" },
        {
          id: "economic",
          text: "Has the other person kept you from money, work, papers or a home, or made debts in your name?",
        },
        {
          id: "control",
          text: "Has the other person decided or watched where you go, whom you see or what you do online?",
        },
        {
          id: "since",
          text: "Has any of this happened since you separated: messages, following, turning up, threats about children or money?",
        },
      ],
    },
    {
      title: "Children",
      questions: [
        { id: "child_harm", text: "Has a child been hurt, frightened or neglected, or seen or heard any of this?" },
        { id: "child_taken", text: "Are you worried that a child may be taken away, or not be brought back?" },
        { id: "childrens_services", text: "Has Children’s services been in touch about your children, now or before?" },
      ],
    },
    {
      title: "Police and courts",
      questions: [
        { id: "police", text: "Have the police been called, or has anybody been cautioned or charged?" },
        { id: "orders", text: "Are there, or were there, orders, bail conditions or undertakings to keep away?" },
      ],
    },
    {
      title: "What makes harm more likely",
      questions: [
        { id: "weapons", text: "Does anybody have a weapon, or speak of one, or use something as one?" },
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
          text: "Does your right to stay in the country, your home, money or care depend on the other person?",
        },
        { id: "fear", text: "Are you afraid of the other person, or of what follows if you say what you want?" },
        { id: "power", text: "Does the other person usually get their way, or know much more than you about money?" },
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
