import type { CreateClient } from "@app/shared/clients";
import type { Intake } from "@app/shared/intake";
import type { CurrentUser } from "@app/shared/users";
import { Anchor } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { emptyCase } from "../casework/open-case-dialog.tsx";
import { ConflictWatch } from "../conflicts/conflict-watch.tsx";
import { ClientForm, EMPTY_CLIENT } from "./client-form.tsx";
import { FirstCaseFields, type FirstCase, NO_CASE } from "./first-case-fields.tsx";

/** A person or an organisation, and at once the case that they bring; the conflict check runs beside the form. */
export function CreateClientPage() {
  useTitle("Add client");
  const navigate = useNavigate();
  const utils = api.useUtils();
  const isSaved = useRef(false);
  const [typed, setTyped] = useState<CreateClient>(EMPTY_CLIENT);
  const [firstCase, setFirstCase] = useState<FirstCase>(NO_CASE);
  const user = useCurrentUser();
  const create = api.intake.create.useMutation();
  const breadcrumb = <Anchor renderRoot={(props) => <Link to="/clients" {...props} />}>Clients</Anchor>;
  return (
    <>
      <PageHead title="Add client" breadcrumb={breadcrumb} />
      <PageGrid side={<ConflictWatch client={typed} />}>
        <ClientForm
          initialValues={EMPTY_CLIENT}
          submitLabel={firstCase.isOpened ? "Add client and open case" : "Add client"}
          isSaved={isSaved}
          onValues={setTyped}
          onCancel={() => void navigate({ to: "/clients" })}
          onSubmit={async (client, id) => {
            const created = await create.mutateAsync({ id, client, ...caseOf(firstCase, user) });
            isSaved.current = true;
            notify(
              created.caseId ? `${created.displayName} added, and the case opened` : `${created.displayName} added`,
            );
            await Promise.all([utils.clients.list.invalidate(), utils.cases.invalidate(), utils.tasks.invalidate()]);
            void navigate({ to: "/clients/view/$id", params: { id: created.id } });
          }}
        >
          <FirstCaseFields value={firstCase} onChange={setFirstCase} />
        </ClientForm>
      </PageGrid>
    </>
  );
}

/** The case that they bring, where one is opened at once. */
function caseOf({ isOpened, otherId, matter, decision, reason }: FirstCase, user: CurrentUser): Omit<Intake, "client"> {
  if (!isOpened) return { other: null, theCase: null, conflict: null };
  return {
    other: otherId ? { clientId: otherId } : null,
    theCase: { ...emptyCase(user.mediatorType, user), caseRef: "", matter },
    conflict: decision === "" ? null : { decision, reason },
  };
}
