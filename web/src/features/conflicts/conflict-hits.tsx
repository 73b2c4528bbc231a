import type { ConflictHit } from "@app/shared/conflicts";
import type { ReactNode } from "react";
import { TextLink } from "../../ui/links.tsx";
import "./conflicts.css";

const FIELDS = { name: "name", email: "email", phone: "phone number", "birth date": "birth date" } as const;

interface Props {
  hits: readonly ConflictHit[];
  hiddenCount: number;
  isCut: boolean;
  /** What is said where there is nobody. */
  nobody: ReactNode;
}

/** Who may be the same person, the likeliest first, and what they have in common. */
export function ConflictHits({ hits, hiddenCount, isCut, nobody }: Props) {
  if (hits.length === 0 && hiddenCount === 0 && !isCut) return nobody;
  return (
    <>
      {hits.length > 0 && (
        <ul className="conflict-hits">
          {hits.map((hit) => (
            <Hit key={hit.id} hit={hit} />
          ))}
        </ul>
      )}
      {hiddenCount > 0 && (
        <p className="conflict-hidden">
          {hiddenCount === 1
            ? "A record that you do not see is like this one."
            : `${hiddenCount} records that you do not see are like this one.`}{" "}
          Ask the owner of the practice before you go on.
        </p>
      )}
      {isCut && (
        <p className="conflict-hidden">
          Too many records have a name like this to show them all; these are the likeliest. Add a birth date, a phone
          number or an email address: everybody with the same one is always listed.
        </p>
      )}
    </>
  );
}

function Hit({ hit }: { hit: ConflictHit }) {
  return (
    <li>
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
  );
}
