// Who mediates, who says so, and who imports. Apart from `access`, which every page loads.
import { can, type Person, type Role, ROLES } from "./access.ts";

const MEDIATING_ROLES: readonly Role[] = [ROLES.owner, ROLES.mediator];

/** Only these roles mediate: whoever has another one is no case's mediator, and signs no certificate. */
export const mayMediate = (role: Role): boolean => MEDIATING_ROLES.includes(role);

type Named = Pick<Person, "role"> & { userId: string };

/** Whether this person mediates a case with these mediators now; the role may have changed since they were named. */
export const isMediatorOf = ({ role, userId }: Named, mediators: readonly { userId: string }[]): boolean =>
  mayMediate(role) && mediators.some((mediator) => mediator.userId === userId);

/** Whether this person says who works on a case with these mediators. */
export const mayChooseTeam = (person: Named, mediators: readonly { userId: string }[]): boolean =>
  person.role === ROLES.owner || isMediatorOf(person, mediators);

/** Whoever imports reads and writes what is imported, and moves data in and out. */
export const mayImport = (person: Person): boolean =>
  (["clients.read", "clients.write", "data.export"] as const).every((permission) => can(person, permission));
