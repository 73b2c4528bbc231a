import { type CreateClient, displayName } from "@app/shared/clients";
import type { Intake, IntakeResult } from "@app/shared/intake";
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
import { chosenIn } from "../casework/case-record.ts";
import { emptyCase } from "../casework/open-case-dialog.tsx";
import { ConflictWatch } from "../conflicts/conflict-watch.tsx";
import { useConflictSearch } from "../conflicts/use-conflict-search.ts";
import { withoutEmptyRows } from "../people/reach-values.ts";
import { ClientFields } from "./client-fields.tsx";
import { EMPTY_CLIENT, validateClient } from "./client-record.ts";
import { FirstCaseFields, type FirstCase, missingOf, noCase } from "./first-case-fields.tsx";
import { SomebodyElse, useSomebodyElse } from "./somebody-else.tsx";

/** A person or an organisation, and at once the case that they bring; the conflict check runs beside the form. */
export function CreateClientPage() {
  useTitle("Add client");
  const navigate = useNavigate();
  const utils = api.useUtils();
  const user = useCurrentUser();
  const [firstCase, setFirstCase] = useState<FirstCase>(() => noCase(emptyCase(user.mediatorType, user)));
  const create = api.intake.create.useMutation();
  const form = useNewRecord<CreateClient, IntakeResult>({
    initialValues: EMPTY_CLIENT,
    validate: (client) => ({ ...validateClient(client), ...missingOf(firstCase), ...somebodyElse.errors }),
    create: (client, id) =>
      create.mutateAsync({
        id,
        client: withoutEmptyRows(client),
        ...caseOf(firstCase),
        isAnother: somebodyElse.isSaid,
      }),
    onCreated({ id, displayName, caseId }) {
      notify(caseId ? `${displayName} added, and the case opened` : `${displayName} added`);
      void Promise.all([utils.clients.list.invalidate(), utils.cases.invalidate(), utils.tasks.invalidate()]);
      void navigate({ to: "/clients/view/$id", params: { id } });
    },
  });
  const found = useConflictSearch(form.values);
  const somebodyElse = useSomebodyElse(found, namesIn(form.values, firstCase));
  useUnsaved((isGoingOn) => firstCase.theCase.matter + firstCase.reason !== "" && !(isGoingOn && form.isSaving));
  const breadcrumb = <Anchor renderRoot={(props) => <Link to="/clients" {...props} />}>Clients</Anchor>;
  return (
    <>
      <PageHead title="Add client" breadcrumb={breadcrumb} />
      <PageGrid side={<ConflictWatch found={found} />}>
        <Form form={form} label="Client" className="client-form">
          <ClientFields form={form} />
          <FirstCaseFields value={firstCase} errors={form.errors} onChange={setFirstCase} />
          <SomebodyElse somebodyElse={somebodyElse} error={form.errors["isAnother"]} />
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

/** Whom it adds, by name: what is said of one name is said of no other. */
const namesIn = (client: CreateClient, { isOpened, otherNew }: FirstCase): string =>
  [displayName(client), isOpened && otherNew ? `${otherNew.firstName} ${otherNew.lastName}` : ""].join("\n");

/** The case that they bring, where one is opened at once. */
function caseOf({
  isOpened,
  otherId,
  otherNew,
  theCase,
  decision,
  reason,
}: FirstCase): Omit<Intake, "client" | "isAnother"> {
  const chosen = chosenIn(theCase);
  if (!isOpened || !chosen) return { other: null, theCase: null, conflict: null };
  return {
    other: otherNew
      ? { client: withoutEmptyRows({ ...EMPTY_CLIENT, ...otherNew }) }
      : otherId
        ? { clientId: otherId }
        : null,
    theCase: { ...theCase, ...chosen, caseRef: "" },
    conflict: decision === "" ? null : { decision, reason },
  };
}
