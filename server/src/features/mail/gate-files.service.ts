// To whom the files of a case go: every place in which the practice keeps a content has its say.
import { isRepresenting, sidesAmong } from "../contacts/contact-sides.service.ts";
import { areOpposed, type Directory, type Person } from "./gate-people.service.ts";

/** A place in which the practice keeps a content: a case, or a client. */
export interface KeptFile {
  fileId: string;
  caseId: string | null;
  /** Whose it is, of no case; null where nobody said so. */
  clientId: string | null;
  /** Whether the content stays inside; what does not only goes to those whose it is. */
  isHeld: boolean;
  /** The parties of its case who may read it; of no case, null where the client may and none where nobody may. */
  readerIds: readonly string[] | null;
}

interface Asking {
  address: string;
  /** Every place in which the practice keeps the content. */
  places: readonly KeptFile[];
  clientId: string | null;
  party: { caseId: string; partyId: string } | null;
}

/**
 * A file of a case goes to those of its parties who may read it and those who represent them, and to nobody else unless
 * all consented, a court ordered or a law requires that it goes to this address outside the case. What not all parties read
 * goes to nobody who stands, in any case, against one who does. In each case in which they stand it has to be theirs: a
 * copy elsewhere lets nothing out of it. What is kept for a client, of no case, goes to them, to those
 * who stand on their side, and to whom a letter of theirs is for; never to anybody who stands against them.
 */
export function mayGet(directory: Directory, { address, places, ...letter }: Asking): boolean {
  const people = directory.at(address).filter(({ isFormer }) => !isFormer);
  const isOwn = (file: KeptFile) =>
    file.caseId === null
      ? file.clientId === letter.clientId || isOf(directory, people, file.clientId)
      : mayHave(directory, { ...letter, address, file });
  const isOfClient = ({ caseId, clientId }: KeptFile) => caseId === null && clientId !== null;
  if (places.some(isOfClient) && !places.some(isOwn)) return false;
  if (!places.some(({ isHeld }) => isHeld)) return true;
  const cases = new Set(people.flatMap((person) => person.places.map(({ caseId }) => caseId)));
  const theirs = Map.groupBy(
    places.filter(({ caseId }) => caseId !== null && cases.has(caseId)),
    ({ caseId }) => caseId,
  );
  const groups = [places, ...theirs.values()];
  return groups.every((group) => group.some((file) => mayHave(directory, { ...letter, address, file })));
}

/** Whether these are the client, or stand on their side of a case and, all of them, against them in none. */
function isOf(directory: Directory, people: readonly Person[], clientId: string | null): boolean {
  const client = directory.client(clientId ?? "");
  if (!client) return false;
  if (people.some(({ kind, id }) => kind === "client" && id === client.id)) return true;
  const isOnTheirSide = ({ kind, places }: Person) =>
    kind === "contact" &&
    sidesAmong(places).some(({ caseId, partyId }) => directory.clientOfParty(caseId, partyId) === client.id);
  return people.some(isOnTheirSide) && !people.some((person) => areOpposed(person, client));
}

function mayHave(
  directory: Directory,
  { address, file, clientId, party }: Omit<Asking, "places"> & { file: KeptFile },
): boolean {
  const { fileId, readerIds } = file;
  if (file.caseId === null && readerIds !== null) return false;
  const caseId = file.caseId ?? party?.caseId ?? null;
  if (caseId === null)
    return directory.at(address).some(({ kind, id, isFormer }) => !isFormer && kind === "client" && id === clientId);
  if (isInside(directory, { caseId, readerIds }, address))
    return !isAgainstReader(directory, { caseId, readerIds }, address);
  return (
    !isInside(directory, { caseId, readerIds: null }, address) && directory.mayDisclose(caseId, { fileId, address })
  );
}

function isAgainstReader(directory: Directory, { caseId, readerIds }: Within, address: string): boolean {
  if (readerIds === null || directory.areAll(caseId, readerIds)) return false;
  const readers = readerIds.flatMap((partyId) => directory.clientOfParty(caseId, partyId) ?? []);
  return directory.at(address).some((person) => !person.isFormer && directory.isAgainst(person, readers));
}

interface Within {
  caseId: string;
  /** Which of its parties; all of them where it is null. */
  readerIds: readonly string[] | null;
}

/** Whether mail to this address reaches one of these parties of the case, or somebody who represents one. */
export const isInside = (directory: Directory, { caseId, readerIds }: Within, address: string): boolean =>
  directory.at(address).some(({ kind, isFormer, places }) => {
    const isMeant = (partyId: string | null) => partyId !== null && (readerIds === null || readerIds.includes(partyId));
    const here = places.filter((place) => place.caseId === caseId && isMeant(place.partyId));
    return !isFormer && here.some(({ role }) => kind === "client" || isRepresenting(role));
  });
