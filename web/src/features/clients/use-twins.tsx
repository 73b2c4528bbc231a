import type { ConflictHit } from "@app/shared/conflicts";
import type { CreateClient } from "@app/shared/clients";
import { foldText } from "@app/shared/text";
import { type ReactNode, useState } from "react";
import { api } from "../../core/api.ts";
import { NotGoneOn } from "../../core/errors.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { termOf } from "../conflicts/conflict-term.ts";

const nameOf = ({ kind, organisation, firstName, lastName }: CreateClient) =>
  kind === "organisation" ? organisation : `${firstName} ${lastName}`;

interface Asked {
  twins: readonly ConflictHit[];
  answer: (isAnother: boolean) => void;
}

/** Asks before a second client of the same name is added: what is written to the wrong one of two is told to a stranger. */
export function useTwins(): { assertAnother: (client: CreateClient) => Promise<void>; dialog: ReactNode } {
  const utils = api.useUtils();
  const [asked, setAsked] = useState<Asked>();
  async function assertAnother(client: CreateClient) {
    const { items } = await utils.conflicts.search.fetch({ term: termOf(client) });
    const twins = items.filter(({ kind, name }) => kind === "client" && foldText(name) === foldText(nameOf(client)));
    if (twins.length === 0) return;
    const isAnother = await new Promise<boolean>((answer) => setAsked({ twins, answer }));
    if (!isAnother) throw new NotGoneOn();
  }
  const answer = (isAnother: boolean) => {
    asked?.answer(isAnother);
    setAsked(undefined);
  };
  const dialog = asked && (
    <ConfirmDialog
      isOpen
      onClose={() => answer(false)}
      title="Is this somebody else?"
      confirmLabel="Add another client"
      isDestructive={false}
      onConfirm={() => answer(true)}
    >
      There is a client of this name already:
      <ul>
        {asked.twins.map(({ id, name, caseRefs }) => (
          <li key={id}>
            {name}
            {caseRefs.length > 0 && `, in ${caseRefs.join(", ")}`}
          </li>
        ))}
      </ul>
      Go back and open them if it is the same person.
    </ConfirmDialog>
  );
  return { assertAnother, dialog };
}
