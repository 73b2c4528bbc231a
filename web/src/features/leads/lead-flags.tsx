import type { Lead } from "@app/shared/leads";

/** What their answers say that somebody must know before anything is done. */
export const LeadFlags = ({ flags }: Pick<Lead, "flags">) => (
  <ul className="lead-flags">
    {flags.map((flag) => (
      <li key={flag}>{flag}</li>
    ))}
  </ul>
);
