import { type CreateClient, displayName } from "@app/shared/clients";
import type { Intake, IntakeResult } from "@app/shared/intake";
import { type ReactNode, useState } from "react";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { RecordFormFoot, useNewRecord } from "../../core/record-editor.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
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

interface Props {
  label: string;
  initialClient?: CreateClient;
  /** What is known of the case that they bring. */
  initialCase?: (nothing: FirstCase) => FirstCase;
  /** There is no client without a case here. */
  isCaseRequired?: boolean;
  create: (intake: Intake, id: string) => Promise<IntakeResult>;
  onCreated: (made: IntakeResult) => void;
  onCancel: () => void;
  submitLabel: (isOpeningCase: boolean) => string;
  /** Below the conflict check. */
  side?: ReactNode;
}

const asItIs = (nothing: FirstCase): FirstCase => nothing;

/** A person or an organisation, and at once the case that they bring; the conflict check runs beside the form. */
export function IntakeForm(props: Props) {
  const { label, initialClient = EMPTY_CLIENT, initialCase = asItIs, isCaseRequired = false } = props;
  const { create, onCreated, onCancel, submitLabel, side } = props;
  const utils = api.useUtils();
  const user = useCurrentUser();
  const [begun] = useState<FirstCase>(() => initialCase(noCase(emptyCase(user.mediatorType, user))));
  const [firstCase, setFirstCase] = useState(begun);
  const form = useNewRecord<CreateClient, IntakeResult>({
    initialValues: initialClient,
    validate: (client) => ({ ...validateClient(client), ...missingOf(firstCase), ...somebodyElse.errors }),
    create: (client, id) =>
      create({ client: withoutEmptyRows(client), ...caseOf(firstCase), isAnother: somebodyElse.isSaid }, id),
    onCreated(made) {
      void Promise.all([utils.clients.list.invalidate(), utils.cases.invalidate(), utils.tasks.invalidate()]);
      onCreated(made);
    },
  });
  const found = useConflictSearch(form.values);
  const other = useConflictSearch({ ...EMPTY_CLIENT, ...(firstCase.isOpened ? firstCase.otherNew : null) });
  const somebodyElse = useSomebodyElse(found, namesIn(form.values, firstCase));
  const typed = ({ theCase, reason }: FirstCase) => theCase.matter + reason;
  useUnsaved((isGoingOn) => typed(firstCase) !== typed(begun) && !(isGoingOn && form.isSaving));
  return (
    <PageGrid
      side={
        <div className="intake-side">
          <ConflictWatch found={found} other={other} />
          {side}
        </div>
      }
    >
      <Form form={form} label={label} className="client-form">
        <ClientFields form={form} />
        <FirstCaseFields value={firstCase} errors={form.errors} isRequired={isCaseRequired} onChange={setFirstCase} />
        <SomebodyElse somebodyElse={somebodyElse} error={form.errors["isAnother"]} />
        <RecordFormFoot submitLabel={submitLabel(firstCase.isOpened)} isSaving={form.isSaving} onCancel={onCancel} />
      </Form>
    </PageGrid>
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
