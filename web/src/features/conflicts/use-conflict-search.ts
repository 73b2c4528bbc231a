import type { CreateClient } from "@app/shared/clients";
import { useDebouncedValue } from "@mantine/hooks";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";

const DELAY_MS = 350;
const LETTERS_MIN = 2;
const NOTHING = { items: [], hiddenCount: 0, isCut: false };

export type ConflictSearch = ReturnType<typeof useConflictSearch>;

/** Looks through the practice's records while somebody types: who is like this person, and in which case. */
export function useConflictSearch(client: CreateClient) {
  const [wanted] = useDebouncedValue(client, DELAY_MS);
  const term = {
    firstName: wanted.firstName.trim(),
    lastName: wanted.lastName.trim(),
    knownAs: wanted.knownAs.trim(),
    organisation: wanted.organisation.trim(),
    email: wanted.email.trim(),
    phones: wanted.phones.map(({ number }) => number.trim()).filter(Boolean),
    dateOfBirth: wanted.dateOfBirth,
  };
  const isEnough = [term.lastName, term.organisation, term.email, ...term.phones].some(
    (text) => text.length >= LETTERS_MIN,
  );
  const found = api.conflicts.search.useQuery({ term }, { enabled: isEnough, placeholderData: (before) => before });
  const { items: hits, hiddenCount, isCut } = isEnough && found.data ? found.data : NOTHING;
  return { isEnough, hits, hiddenCount, isCut, error: found.error ? messageOf(found.error) : "" };
}
