import { Anchor } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useTitle } from "../../core/title.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { IntakeForm } from "./intake-form.tsx";

export function CreateClientPage() {
  useTitle("Add client");
  const navigate = useNavigate();
  const create = api.intake.create.useMutation();
  const breadcrumb = <Anchor renderRoot={(props) => <Link to="/clients" {...props} />}>Clients</Anchor>;
  return (
    <>
      <PageHead title="Add client" breadcrumb={breadcrumb} />
      <IntakeForm
        label="Client"
        create={(intake, id) => create.mutateAsync({ id, ...intake })}
        onCreated={({ id, displayName, caseId }) => {
          notify(caseId ? `${displayName} added, and the case opened` : `${displayName} added`);
          void navigate({ to: "/clients/view/$id", params: { id } });
        }}
        onCancel={() => void navigate({ to: "/clients" })}
        submitLabel={(isOpeningCase) => (isOpeningCase ? "Add client and open case" : "Add client")}
      />
    </>
  );
}
