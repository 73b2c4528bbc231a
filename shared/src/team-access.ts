// Who mediates, who says so, and who imports. Apart from `access`, which every page loads.
import { can, type Permission, type Person, type Role, ROLES } from "./access.ts";
import { IMPORT_KINDS, type ImportKind } from "./import-states.ts";

const MEDIATING_ROLES: readonly Role[] = [ROLES.owner, ROLES.mediator];

/** Only these roles mediate: whoever has another one is no case's mediator, and signs no certificate. */
export const mayMediate = (role: Role): boolean => MEDIATING_ROLES.includes(role);

type Named = Pick<Person, "role"> & { userId: string };

/** Whether this person mediates a case with these mediators now; the role may have changed since they were named. */
export const isMediatorOf = ({ role, userId }: Named, mediators: readonly { userId: string }[]): boolean =>
  mayMediate(role) && mediators.some((mediator) => mediator.userId === userId);

/** Whether this person answers for a case with these mediators: says who works on it, and what may leave it. */
export const answersFor = (person: Named, mediators: readonly { userId: string }[]): boolean =>
  person.role === ROLES.owner || isMediatorOf(person, mediators);

export const ONLY_THEY_CORRECT =
  "The owner of the practice or a mediator of this case takes back what was noted in error. Ask one of them.";

export const ONLY_THEY_RELEASE =
  "The owner of the practice or a mediator of this case records that somebody lets out what they said in confidence.";

/** What importing anything asks for: its rows name people, and data is moved in and out. */
const IMPORTING = ["clients.read", "clients.write", "data.export"] as const satisfies readonly Permission[];

/** What importing each kind asks for: whoever imports could have made the same by hand. */
export const IMPORT_PERMISSIONS: Record<ImportKind, readonly Permission[]> = {
  clients: IMPORTING,
  contacts: IMPORTING,
  cases: IMPORTING,
  meetings: [...IMPORTING, "calendar.manage"],
};

/** Whether this person imports records of this kind. */
export const mayImport = (person: Person, kind: ImportKind): boolean =>
  IMPORT_PERMISSIONS[kind].every((permission) => can(person, permission));

/** The kinds that this person imports; none for most. */
export const importableKinds = (person: Person): ImportKind[] => IMPORT_KINDS.filter((kind) => mayImport(person, kind));
