// What may be certified of a MIAM that was attended since 29 April 2024.
// Source: SI 2023/1324 (Family Procedure (Amendment No. 2) Rules 2023); FPR 3.8(1)(d) for the four months, 3.9 for the
// meeting; PD3A paragraphs 5 and 6. An exemption is claimed by the applicant and looked into by the court: it is nothing
// that a mediator certifies. The words of 3.8(1)(d)(i) are put together from the rule as made and regulation 11(e) of
// SI 2023/1324; the consolidated text was not seen [check].
import type { MiamRules } from "./miam-rules.ts";

const theirs = (first: string, last: string): string =>
  first === last
    ? `the session with them was on ${first}`
    : `the first session with them was on ${first}, the last on ${last}`;

export const MIAM_RULES_2024_04_29: MiamRules = {
  version: "2024-04-29",
  months: 4,
  relied: {
    words:
      "in the 4 months prior to making the application, the person attended a MIAM or a non-court dispute resolution process relating to the same or substantially the same dispute",
    source: "FPR 3.8(1)(d)",
  },
  attended: (day) => `The person named above attended a mediation information and assessment meeting (MIAM) on ${day}.`,
  mediated: {
    together: (first, last) =>
      first === last
        ? `The person named above attended mediation with another participant on ${first}.`
        : `The person named above attended mediation with another participant: the first session was on ${first}, the last on ${last}.`,
    // Since 29 November 2026; before, that it was with another participant on these days was said of both of these too.
    apart: (first, last) =>
      `The person named above took part in shuttle mediation, held with each participant at a separate time: ${theirs(first, last)}.`,
    both: (first, last) =>
      `The person named above took part in mediation with another participant, some of it as shuttle mediation that was held with each participant at a separate time: ${theirs(first, last)}.`,
  },
  sentences: {
    // Since 29 November 2026; before, "They attended it alone." was also said of who came with an interpreter or supporter.
    alone: "They attended it without any other participant.",
    own_side: "They attended it with somebody on their own side, and with nobody from another side.",
    together: "They attended it together with another participant.",
    separately: "Each other participant attended a MIAM separately from them.",
    none_willing: "No other participant is willing to attend a MIAM or to take part in mediation.",
    unsuitable: "The mediator considers that mediation is not suitable.",
    person_stops: "The person named above does not wish to start or continue mediation.",
    other_stops: "Another participant does not wish to start or continue mediation.",
    broken_down: "Mediation started and has broken down.",
    unresolved: "Mediation started and has concluded with some or all issues unresolved.",
  },
  // Since 26 November 2026; before, silence was certified by the words of a refusal.
  unanswered: {
    silent:
      "No other participant has agreed to attend a MIAM: the other participant was invited, and has not answered.",
    all_silent:
      "No other participant has agreed to attend a MIAM: all of them were invited, and none of them has answered.",
    some_silent:
      "No other participant has agreed to attend a MIAM: each of them has refused, or was invited and has not answered.",
    // Since 28 November 2026; before, it was said of these too that they had not answered.
    missed:
      "No other participant has attended a MIAM: the other participant agreed to attend one, which was booked, and did not come.",
    offered:
      "No other participant has attended a MIAM: the other participant was invited to an appointment for one, has not answered, and did not come.",
    answered:
      "No other participant has attended a MIAM: the other participant answered at first, and has not attended one.",
    some_absent:
      "No other participant has attended a MIAM: each of them has refused, was invited and has not answered, or answered at first and has not attended one.",
  },
  // Since 29 November 2026; before, it was said of each other participant, whichever side they stood on.
  bySide: {
    separately: "Each participant from another side attended a MIAM separately from them.",
    none_willing: "No participant from another side is willing to attend a MIAM or to take part in mediation.",
    unanswered: {
      silent:
        "No participant from another side has agreed to attend a MIAM: the one there is was invited, and has not answered.",
      all_silent:
        "No participant from another side has agreed to attend a MIAM: all of them were invited, and none of them has answered.",
      some_silent:
        "No participant from another side has agreed to attend a MIAM: each of them has refused, or was invited and has not answered.",
      missed:
        "No participant from another side has attended a MIAM: the one there is agreed to attend one, which was booked, and did not come.",
      offered:
        "No participant from another side has attended a MIAM: the one there is was invited to an appointment for one, has not answered, and did not come.",
      answered:
        "No participant from another side has attended a MIAM: the one there is answered at first, and has not attended one.",
      some_absent:
        "No participant from another side has attended a MIAM: each of them has refused, was invited and has not answered, or answered at first and has not attended one.",
    },
  },
};
