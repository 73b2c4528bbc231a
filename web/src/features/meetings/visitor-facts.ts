import type { Meeting } from "@app/shared/meetings";

/** Who booked it from outside, and what they were asked; for the practice alone. */
export function visitorFacts({ visitor }: Meeting): { label: string; value: string }[] {
  if (!visitor) return [];
  const { person, answers, timeZone } = visitor;
  const reached = person
    ? [person.name, person.email, person.phone].filter(Boolean).join(", ")
    : "The client, by a link";
  return [
    { label: "Booked by", value: reached },
    { label: "Their zone", value: timeZone },
    ...answers.filter(({ answer }) => answer !== "").map(({ label, answer }) => ({ label, value: answer })),
  ];
}
