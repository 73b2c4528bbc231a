import { can, DEFAULT_PERMISSIONS, OWNER_ACTIONS, PERMISSIONS, ROLES, type Role } from "@app/shared/access";
import { expect, test } from "vitest";

const staffRoles: Role[] = [ROLES.mediator, ROLES.caseworker, ROLES.finance, ROLES.supervisor];

test.each(staffRoles)("can: role %i never gets what is the owner's alone, whatever it was granted", (role) => {
  for (const action of OWNER_ACTIONS) expect(can({ role, permissions: PERMISSIONS }, action)).toBe(false);
});

test("can: the owner holds every permission without a list, and is never narrowed", () => {
  const owner = { role: ROLES.owner, permissions: [] };
  expect(PERMISSIONS.filter((permission) => !can(owner, permission))).toEqual(["assigned_only"]);
});

test.each(staffRoles)("can: role %i may do exactly what it was granted", (role) => {
  const person = { role, permissions: ["clients.read"] as const };
  expect(PERMISSIONS.filter((permission) => can(person, permission))).toEqual(["clients.read"]);
});

test("can: a supervisor, whatever was granted once, reads and does not write", () => {
  const person = { role: ROLES.supervisor, permissions: PERMISSIONS };
  const writing = PERMISSIONS.filter((permission) => /write|manage|send/.test(permission));
  expect(PERMISSIONS.filter((permission) => !can(person, permission))).toEqual(writing);
});

test("DEFAULT_PERMISSIONS: a supervisor changes nothing", () => {
  const changing = DEFAULT_PERMISSIONS[ROLES.supervisor].filter((permission) =>
    /write|manage|send|export/.test(permission),
  );
  expect(changing).toEqual([]);
});
