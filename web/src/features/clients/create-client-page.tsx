import type { CreateClient } from "@app/shared/clients";
import { Anchor } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { emptyCase, partiesOf } from "../casework/open-case-dialog.tsx";
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
  const create = api.clients.create.useMutation();
  const openCase = useOpenCase();
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
            const created = await create.mutateAsync({ id, ...client });
            isSaved.current = true;
            notify(`${created.displayName} added`);
            if (firstCase.isOpened) await openCase(created.id, firstCase);
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

/** Opens the case of a client who was just added; where that fails the client stays, and the page says so. */
function useOpenCase() {
  const user = useCurrentUser();
  const create = api.casework.create.useMutation();
  const decide = api.conflicts.decide.useMutation();
  const [newCaseId] = useNewId();
  const [decisionId] = useNewId();
  return async (clientId: string, { otherId, matter, decision, reason }: FirstCase) => {
    try {
      const { id } = await create.mutateAsync({
        id: newCaseId,
        ...emptyCase(user.mediatorType, user),
        caseRef: "",
        matter,
        parties: partiesOf(clientId, otherId),
      });
      if (decision !== "") await decide.mutateAsync({ id: decisionId, caseId: id, decision, reason });
    } catch (error) {
      notifyError(`The client is saved, but the case is not complete: ${messageOf(error)}`);
    }
  };
}
