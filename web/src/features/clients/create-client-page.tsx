import { Anchor } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useTitle } from "../../core/title.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { ClientForm, EMPTY_CLIENT } from "./client-form.tsx";

export function CreateClientPage() {
  useTitle("Add client");
  const navigate = useNavigate();
  const utils = api.useUtils();
  const isSaved = useRef(false);
  const create = api.clients.create.useMutation();
  const breadcrumb = <Anchor renderRoot={(props) => <Link to="/clients" {...props} />}>Clients</Anchor>;
  return (
    <>
      <PageHead title="Add client" breadcrumb={breadcrumb} />
      <PageGrid main="text">
        <ClientForm
          initialValues={EMPTY_CLIENT}
          submitLabel="Add client"
          isSaved={isSaved}
          onCancel={() => void navigate({ to: "/clients" })}
          onSubmit={async (client) => {
            const created = await create.mutateAsync(client);
            isSaved.current = true;
            void utils.clients.list.invalidate();
            notify(`${created.displayName} added`);
            void navigate({ to: "/clients/view/$id", params: { id: created.id } });
          }}
        />
      </PageGrid>
    </>
  );
}
