// What each question of a screening is about, and what follows where somebody says yes or is not sure.

interface Topic {
  /** As it is named in a sentence. */
  name: string;
  /**
   * `held_again`: they could not speak freely. `concern`: a risk that opens the safeguarding record too. `risk`: nobody is
   * found suitable without words of why that is safe all the same. `need`: it is arranged for.
   */
  weighs: "held_again" | "concern" | "risk" | "need";
}

/** The ids mean the same in every kind of case and version; which are asked, and how, is in the questions of each. */
export const TOPICS = {
  overheard: { name: "being overheard", weighs: "held_again" },
  unsafe_now: { name: "talking safely", weighs: "held_again" },
  contact: { name: "ways of reaching them", weighs: "need" },
  physical: { name: "physical harm or threats", weighs: "concern" },
  sexual: { name: "sexual harm", weighs: "concern" },
  emotional: { name: "emotional abuse", weighs: "risk" },
  economic: { name: "economic abuse", weighs: "concern" },
  control: { name: "control", weighs: "concern" },
  since: { name: "what has happened since", weighs: "concern" },
  outside: { name: "being close outside work", weighs: "need" },
  child_harm: { name: "harm to children or others", weighs: "concern" },
  child_taken: { name: "a child being taken away", weighs: "concern" },
  childrens_services: { name: "Children’s services", weighs: "risk" },
  police: { name: "the police", weighs: "risk" },
  orders: { name: "orders to keep away", weighs: "risk" },
  formal: { name: "formal steps at work", weighs: "need" },
  weapons: { name: "weapons", weighs: "concern" },
  substances: { name: "alcohol or drugs", weighs: "risk" },
  mental_health: { name: "mental health or ending a life", weighs: "concern" },
  capacity: { name: "following and deciding", weighs: "risk" },
  dependency: { name: "dependency", weighs: "risk" },
  fear: { name: "fear", weighs: "risk" },
  power: { name: "power", weighs: "risk" },
  pressure: { name: "pressure to mediate", weighs: "risk" },
  together: { name: "being in one room", weighs: "need" },
  language: { name: "language", weighs: "need" },
  needs: { name: "needs", weighs: "need" },
} as const satisfies Record<string, Topic>;
export type TopicId = keyof typeof TOPICS;

/** All of them, in the order in which they are asked. */
export const topicsIn = (...weights: Topic["weighs"][]): { id: string; name: string }[] =>
  Object.entries<Topic>(TOPICS).flatMap(([id, { name, weighs }]) => (weights.includes(weighs) ? [{ id, name }] : []));
