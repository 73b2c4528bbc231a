// A supervisor reads and does not write, whatever somebody grants, or granted once.
import { newId } from "@app/server/core/ids";
import { UserModel } from "@app/server/features/users/users.model";
import { DEFAULT_PERMISSIONS, type Permission, ROLES } from "@app/shared/access";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

test("S71: staff.update: a supervisor is granted nothing that writes, and what was granted once has no effect", async () => {
  const ruth = await aStaffUser(app, practice, { role: ROLES.supervisor });
  const { items } = await practice.api.staff.list.query();
  const person = items.find(({ email }) => email === ruth.email);
  if (!person) throw new Error("she is not listed");
  const own = [...DEFAULT_PERMISSIONS[ROLES.supervisor]];
  const grant = (permissions: Permission[], version = person.version) =>
    practice.api.staff.update.mutate({ id: person.id, role: ROLES.supervisor, permissions, version });
  for (const writing of ["clients.write", "calendar.manage", "documents.manage", "mail.send"] as const)
    expect((await refusal(grant([...own, writing]))).fields).toHaveProperty("permissions");
  await UserModel.updateOne({ _id: person.id }, { $set: { permissions: [...own, "clients.write"] } });
  const shown = await practice.api.staff.list.query();
  expect(shown.items.find(({ id }) => id === person.id)?.permissions).not.toContain("clients.write");
  expect((await refusal(ruth.api.clients.create.mutate(aClient({ id: newId() })))).code).toBe("FORBIDDEN");
  const { version } = shown.items.find(({ id }) => id === person.id) ?? person;
  expect((await grant([...own, "safeguarding.read"], version)).permissions).toContain("safeguarding.read");
});
