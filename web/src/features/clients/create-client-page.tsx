import type { CreateClient } from "@app/shared/clients";
import type { Intake, IntakeResult } from "@app/shared/intake";
import type { CurrentUser } from "@app/shared/users";
import { Anchor } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { RecordFormFoot, useNewRecord } from "../../core/record-editor.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { useUnsaved } from "../../ui/unsaved.ts";
import { emptyCase } from "../casework/open-case-dialog.tsx";
import { ConflictWatch } from "../conflicts/conflict-watch.tsx";
import { withoutEmptyRows } from "../people/reach-values.ts";
import { ClientFields } from "./client-fields.tsx";
import { EMPTY_CLIENT, validateClient } from "./client-record.ts";
import { FirstCaseFields, type FirstCase, NO_CASE } from "./first-case-fields.tsx";

/** A person or an organisation, and at once the case that they bring; the conflict check runs beside the form. */
export function CreateClientPage() {
  useTitle("Add client");
  const navigate = useNavigate();
  const utils = api.useUtils();
  const [firstCase, setFirstCase] = useState<FirstCase>(NO_CASE);
  const user = useCurrentUser();
  const create = api.intake.create.useMutation();
  const form = useNewRecord<CreateClient, IntakeResult>({
    initialValues: EMPTY_CLIENT,
    validate: validateClient,
    create: (client, id) => create.mutateAsync({ id, client: withoutEmptyRows(client), ...caseOf(firstCase, user) }),
    onCreated({ id, displayName, caseId }) {
      notify(caseId ? `${displayName} added, and the case opened` : `${displayName} added`);
      void Promise.all([utils.clients.list.invalidate(), utils.cases.invalidate(), utils.tasks.invalidate()]);
      void navigate({ to: "/clients/view/$id", params: { id } });
    },
  });
  useUnsaved((isGoingOn) => firstCase.matter + firstCase.reason !== "" && !(isGoingOn && form.isSaving));
  const breadcrumb = <Anchor renderRoot={(props) => <Link to="/clients" {...props} />}>Clients</Anchor>;
  return (
    <>
      <PageHead title="Add client" breadcrumb={breadcrumb} />
      <PageGrid side={<ConflictWatch client={form.values} />}>
        <Form form={form} label="Client" className="client-form">
          <ClientFields form={form} />
          <FirstCaseFields value={firstCase} onChange={setFirstCase} />
          <RecordFormFoot
            submitLabel={firstCase.isOpened ? "Add client and open case" : "Add client"}
            isSaving={form.isSaving}
            onCancel={() => void navigate({ to: "/clients" })}
          />
        </Form>
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
