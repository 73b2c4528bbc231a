import { DEFAULT_PERMISSIONS, mayBeGranted, type Permission, ROLE_NAMES } from "@app/shared/access";
import type { StaffRole, StaffUser } from "@app/shared/users";
import { Button, SegmentedControl, Switch } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Section } from "../../ui/section.tsx";
import { PERMISSION_GROUPS } from "./permission-groups.ts";
import { recordOf, STAFF_FIELDS, STAFF_ROLES, type StaffValues, withPermission } from "./staff-record.ts";

const ROLE_OPTIONS = STAFF_ROLES.map((role) => ({ value: String(role), label: ROLE_NAMES[role] }));
const ASSIGNED_ONLY: Permission = "assigned_only";
const isDefault = (role: StaffRole, permission: Permission) =>
  DEFAULT_PERMISSIONS[role].some((known: Permission) => known === permission);
const countText = (count: number, role: StaffRole) => {
  const word = ROLE_NAMES[role].toLowerCase();
  if (count === 0) return `As the ${word} role starts.`;
  return count === 1 ? `1 switch differs from the ${word} role.` : `${count} switches differ from the ${word} role.`;
};

/** The permissions that are otherwise than the role starts with. */
const differencesOf = ({ role, permissions }: StaffValues): Permission[] =>
  [...PERMISSION_GROUPS.flatMap((group) => group.permissions.map(([permission]) => permission)), ASSIGNED_ONLY].filter(
    (permission) => permissions.has(permission) !== isDefault(role, permission),
  );

/** Starts from what the role usually needs and says which switch differs from it. */
export function PermissionsForm({ person }: { person: StaffUser }) {
  const form = useStaffPerson(person);
  const { values, setValues } = form;
  const { role, permissions } = values;
  const set = (permission: Permission, isOn: boolean) =>
    setValues({ role, permissions: withPermission(permissions, permission, isOn) });
  const startFrom = (next: StaffRole) => setValues({ role: next, permissions: new Set(DEFAULT_PERMISSIONS[next]) });
  const different = differencesOf(values);
  return (
    <VersionedForm form={form} what="person" label="Permissions">
      <RoleField values={values} onRole={startFrom} onPermission={set} />
      <PermissionSwitches values={values} different={different} onPermission={set} />
      <div className="staff-foot">
        <span className="quiet-text">
          {countText(different.length, role)} Leads, staff and subscription stay with the owner.
        </span>
        <Button variant="default" disabled={different.length === 0} onClick={() => startFrom(role)}>
          Reset to role
        </Button>
        <Button type="submit" loading={form.isSaving}>
          Save
        </Button>
      </div>
    </VersionedForm>
  );
}

/** What one person may do while it is changed, and how it is saved over whatever others saved meanwhile. */
function useStaffPerson(person: StaffUser) {
  const utils = api.useUtils();
  const update = api.staff.update.useMutation();
  return useVersionedForm<StaffValues>({
    fields: STAFF_FIELDS,
    stored: recordOf(person),
    async read() {
      const { items } = await utils.staff.list.fetch(undefined, { staleTime: 0 });
      return recordOf(items.find(({ id }) => id === person.id) ?? person);
    },
    async send({ role, permissions }, version) {
      const saved = await update.mutateAsync({ id: person.id, role, permissions: [...permissions], version });
      notify(`Saved what ${saved.firstName} may do`);
      await Promise.all([utils.staff.list.invalidate(), utils.safeguarding.invalidate()]);
      return recordOf(saved);
    },
  });
}

interface FieldProps {
  values: StaffValues;
  onPermission: (permission: Permission, isOn: boolean) => void;
}

function RoleField({ values, onRole, onPermission }: FieldProps & { onRole: (role: StaffRole) => void }) {
  const { role, permissions } = values;
  return (
    <div className="staff-role">
      <div className="staff-role-choice">
        <span aria-hidden>Role</span>
        <SegmentedControl
          aria-label="Role"
          data={ROLE_OPTIONS}
          value={String(role)}
          onChange={(value) => onRole(STAFF_ROLES.find((known) => String(known) === value) ?? role)}
        />
      </div>
      <Switch
        label="Only cases they are assigned to"
        checked={permissions.has(ASSIGNED_ONLY)}
        onChange={(event) => onPermission(ASSIGNED_ONLY, event.currentTarget.checked)}
      />
    </div>
  );
}

function PermissionSwitches({ values, different, onPermission }: FieldProps & { different: readonly Permission[] }) {
  return (
    <div className="staff-groups">
      {PERMISSION_GROUPS.filter(({ permissions }) => permissions.some(([each]) => mayBeGranted(values.role, each))).map(
        (group) => (
          <Section key={group.title} title={group.title} order={3}>
            {group.permissions
              .filter(([permission]) => mayBeGranted(values.role, permission))
              .map(([permission, label]) => (
                <Switch
                  key={permission}
                  className="staff-switch"
                  labelPosition="left"
                  label={
                    <>
                      {label}
                      {different.includes(permission) && <span className="staff-changed">changed from role</span>}
                    </>
                  }
                  checked={values.permissions.has(permission)}
                  onChange={(event) => onPermission(permission, event.currentTarget.checked)}
                />
              ))}
          </Section>
        ),
      )}
    </div>
  );
}
