import type { ConflictHit } from "@app/shared/conflicts";
import { TextLink } from "../../ui/links.tsx";
import "./conflicts.css";

const FIELDS = { name: "name", email: "email", phone: "phone number", "birth date": "birth date" } as const;

/** Who may be the same person, the likeliest first, and what they have in common. */
export function ConflictHits({ hits }: { hits: readonly ConflictHit[] }) {
  return (
    <ul className="conflict-hits">
      {hits.map((hit) => (
        <li key={hit.id}>
          {hit.kind === "client" ? (
            <TextLink to="/clients/view/$id" params={{ id: hit.id }}>
              {hit.name}
            </TextLink>
          ) : (
            <TextLink to="/contacts" search={{ open: hit.id }}>
              {hit.name}
            </TextLink>
          )}
          <span>
            same {hit.fields.map((field) => FIELDS[field]).join(", ")}
            {hit.caseRefs.length > 0 && `, in ${hit.caseRefs.join(", ")}`}
          </span>
          <span className="conflict-score">{Math.round(hit.score * 100)} %</span>
        </li>
      ))}
    </ul>
  );
}
