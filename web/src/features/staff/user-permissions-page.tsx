import type { StaffUser } from "@app/shared/users";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { IconUserPlus } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import type { StaffSearch } from "../../core/search.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { OfficerField } from "../safeguarding/officer-field.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { Accreditation } from "./accreditation.tsx";
import { PeopleList } from "./people-list.tsx";
import { PersonPanel } from "./person-panel.tsx";
import "./user-permissions-page.css";

export function UserPermissionsPage({ search }: { search: StaffSearch }) {
  useTitle("Staff and permissions");
  const navigate = useNavigate();
  const staff = api.staff.list.useQuery();
  const people = staff.data?.items;
  const go = (next: StaffSearch) => void navigate({ to: "/settings/user-permissions", search: next });
  const { invite, ...where } = search;
  const count = people && (people.length === 1 ? "1 person" : `${people.length} people`);
  const inviteButton = (
    <Button
      leftSection={<IconUserPlus size={16} stroke={1.7} aria-hidden />}
      onClick={() => go({ ...where, invite: true })}
    >
      Invite a person
    </Button>
  );
  return (
    <>
      <PageHead title="Staff and permissions" meta={count} actions={inviteButton} />
      <Loaded query={staff} failureTitle="The people of the practice could not be read">
        {({ items }) => <Columns people={items} chosenId={search.person} />}
      </Loaded>
      <OfficerField />
      {invite && <InviteDialog onClose={() => go(where)} onInvited={() => void staff.refetch()} />}
    </>
  );
}

function Columns({ people, chosenId }: { people: readonly StaffUser[]; chosenId: string | undefined }) {
  const chosen = people.find(({ id }) => id === chosenId) ?? people[1] ?? people[0];
  return (
    <div className="staff">
      <PeopleList people={people} chosenId={chosen?.id} />
      {chosen && people.length > 1 ? (
        <PersonPanel key={chosen.id} person={chosen} />
      ) : (
        <div>
          <EmptyState icon={<IconUserPlus size={24} stroke={1.7} />} title="You work alone so far">
            Invite mediators, caseworkers or the person who does your accounts. Each role starts with what it usually
            needs, and every switch can be changed.
          </EmptyState>
          {chosen && <Accreditation person={chosen} />}
        </div>
      )}
    </div>
  );
}
