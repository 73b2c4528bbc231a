import type { ScreeningTool } from "./tool.ts";

/** The first tool, for every kind of case: its answers were words alone. Nobody is screened with it any more. */
export const FIRST_TOOL: ScreeningTool = {
  version: "2026-1",
  domains: [],
  groups: [
    {
      title: "Questions",
      questions: [
        { id: "afraid", text: "Are you, or have you been, afraid of the other person?" },
        { id: "control", text: "Does the other person control where you go, whom you see, or your money?" },
        { id: "violence", text: "Has there been violence, threats or damage to your things?" },
        { id: "orders", text: "Are there or were there court orders, police calls or social services?" },
        { id: "children", text: "Are you worried about the safety of a child or of another adult?" },
        { id: "speaking", text: "Could you say what you want with the other person in the room?" },
        { id: "measures", text: "Would separate rooms, online meetings or a supporter help?" },
      ],
    },
  ],
};
