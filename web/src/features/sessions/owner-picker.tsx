import type { Case, Party } from "@app/shared/cases";
import { apartName, APART_SHAREABLE, mayHold } from "@app/shared/confidences";
import type { NoteKind } from "@app/shared/notes";
import { caucusOf, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { SegmentedControl } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useEffect } from "react";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { firstNameOf, ownerOf } from "../notes/note-words.ts";

export interface Owner {
  value: string;
  visibility: Visibility;
  kind: NoteKind;
  party: Party | null;
  saveLabel: string;
}

export const ME: Owner = {
  value: "me",
  visibility: MEDIATOR_ONLY,
  kind: "private",
  party: null,
  saveLabel: "Save for me only",
};
const ALL: Owner = {
  value: "shared",
  visibility: SHARED,
  kind: "file_note",
  party: null,
  saveLabel: "Save for all parties to read",
};

/** What is said to the mediator apart, where the agreement keeps no confidences. */
const APART: Owner = {
  value: "apart",
  visibility: PRACTICE_ONLY,
  kind: "separate",
  party: null,
  saveLabel: APART_SHAREABLE,
};

/** Whose words these can be: nobody's but mine, one party's in confidence or said apart, or everybody's. */
export const ownersOf = (theCase: Case): Owner[] => {
  const held = theCase.parties.filter(({ partyId }) => mayHold(theCase, caucusOf(partyId)));
  const apart = held.length < theCase.parties.length ? [APART] : [];
  return [ME, ...held.map((party) => ownerFor(theCase, party)), ...apart, ALL];
};

const ownerFor = ({ domain }: Case, party: Party): Owner => ({
  value: party.partyId,
  visibility: caucusOf(party.partyId),
  kind: "caucus",
  party,
  saveLabel: `Save to ${firstNameOf(party)}’s ${apartName(domain).toLowerCase()}`,
});

/** Of more parties there is no room for the markers; never for some of them. */
const MARKERS_MAX = 3;

interface Props {
  theCase: Case;
  owners: Owner[];
  value: Owner;
  onChange: (owner: Owner) => void;
}

export function OwnerPicker({ theCase, owners, value, onChange }: Props) {
  useEffect(() => {
    // The digit's place on the keyboard counts: with Alt held down some of them write another sign.
    const choose = (event: KeyboardEvent) => {
      const owner = event.altKey ? owners[Number(/^Digit(\d)$/.exec(event.code)?.[1] ?? 0) - 1] : undefined;
      if (!owner) return;
      event.preventDefault();
      onChange(owner);
    };
    window.addEventListener("keydown", choose);
    return () => window.removeEventListener("keydown", choose);
  }, [owners, onChange]);
  return (
    <SegmentedControl
      fullWidth
      withItemsBorders
      transitionDuration={0}
      aria-label="Whose words these are"
      className="owner-picker"
      data-owner={ownerOf(value.visibility, theCase.parties)}
      value={value.value}
      onChange={(wanted) => onChange(owners.find((owner) => owner.value === wanted) ?? ME)}
      data={owners.map((owner) => ({ value: owner.value, label: <OwnerLabel owner={owner} theCase={theCase} /> }))}
    />
  );
}

function OwnerLabel({ owner, theCase }: { owner: Owner; theCase: Case }) {
  if (owner.party)
    return (
      <span className="owner-label">
        <PartyMarker label={owner.party.label} />
        {firstNameOf(owner.party)}
      </span>
    );
  if (owner.value === APART.value) return <span className="owner-label">Apart</span>;
  if (owner.value === ME.value)
    return (
      <span className="owner-label">
        <IconLock size={14} stroke={1.7} aria-hidden />
        Only me
      </span>
    );
  return (
    <span className="owner-label">
      <span className="owner-label-markers" aria-hidden>
        {(theCase.parties.length > MARKERS_MAX ? [] : theCase.parties).map(({ label }) => (
          <PartyMarker key={label} label={label} />
        ))}
      </span>
      Shared
    </span>
  );
}
