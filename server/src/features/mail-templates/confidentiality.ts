import type { MediatorType } from "@app/shared/regions";

const CONFIDENTIAL =
  "What you tell us is confidential, except where somebody is at risk of harm or the law requires us to pass it on";

/** What is promised to whoever reads our texts, and no more (FMC Code of Practice, confidentiality). */
export const confidentialityIn = (kind: MediatorType): string =>
  kind === "family" ? `${CONFIDENTIAL}, and financial facts are open to everybody who takes part.` : `${CONFIDENTIAL}.`;
