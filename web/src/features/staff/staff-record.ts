import { PERMISSIONS, type Permission, ROLE_NAMES } from "@app/shared/access";
import type { StaffRole, StaffUser } from "@app/shared/users";
import type { VersionField } from "../../ui/version-fields.ts";
import { PERMISSION_GROUPS } from "./permission-groups.ts";

export const STAFF_ROLES = [2, 3, 4, 5] as const satisfies readonly StaffRole[];

export interface StaffValues {
  role: StaffRole;
  permissions: ReadonlySet<Permission>;
}

export const recordOf = ({ role, permissions, version }: StaffUser) => ({
  values: { role: STAFF_ROLES.find((known) => known === role) ?? 3, permissions: new Set(permissions) },
  version,
});

export const withPermission = (permissions: ReadonlySet<Permission>, permission: Permission, isOn: boolean) =>
  new Set(PERMISSIONS.filter((known) => (known === permission ? isOn : permissions.has(known))));

const labels = new Map<Permission, string>([["assigned_only", "Only cases they are assigned to"]]);
for (const { permissions } of PERMISSION_GROUPS)
  for (const [permission, label] of permissions) labels.set(permission, label);

const ofPermission = (permission: Permission): VersionField<StaffValues> => ({
  key: permission,
  label: labels.get(permission) ?? permission,
  value: ({ permissions }) => permissions.has(permission),
  take: (into, { permissions }) => ({
    ...into,
    permissions: withPermission(into.permissions, permission, permissions.has(permission)),
  }),
  text: ({ permissions }) => (permissions.has(permission) ? "Yes" : "No"),
});

/** Each switch by itself: two people who change two of them both have their way. */
export const STAFF_FIELDS: readonly VersionField<StaffValues>[] = [
  {
    key: "role",
    label: "Role",
    value: ({ role }) => role,
    take: (into, { role }) => ({ ...into, role }),
    text: ({ role }) => ROLE_NAMES[role],
  },
  ...PERMISSIONS.map(ofPermission),
];
