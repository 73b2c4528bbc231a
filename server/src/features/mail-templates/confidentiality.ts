import type { MediatorType } from "@app/shared/regions";

const CONFIDENTIAL =
  "What you tell us is confidential, except where somebody is at risk of harm or the law requires us to pass it on.";
/** The first meeting is private to whoever has it; in mediation none of those who take part has secrets with the mediator. */
const OF_FAMILIES =
  "What you tell us in your first meeting is confidential, also from the other participant, except where somebody is at risk of harm or the law requires us to pass it on. If you mediate, we keep no secrets between those who take part, except contact details. With those exceptions, what is said there goes to nobody outside without everybody’s consent, while financial facts are open.";

/** What is promised to whoever reads our texts, and no more (FMC Code of Practice, confidentiality). */
export const confidentialityIn = (kind: MediatorType): string => (kind === "family" ? OF_FAMILIES : CONFIDENTIAL);
