import { useNavigate } from "@tanstack/react-router";
import { useTitle } from "../../core/title.ts";
import { TextLink } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { NewForm } from "../forms/new-form.tsx";

/** A form for the practice's website; what people send with it becomes a lead. */
export function CreateLeadFormPage() {
  useTitle("New enquiry form");
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="New enquiry form" breadcrumb={<TextLink to="/leads">Leads</TextLink>} />
      <div className="new-form-page">
        <NewForm
          isLead
          onMade={(id) => void navigate({ to: "/leads/forms/edit/$id", params: { id }, ignoreBlocker: true })}
        />
      </div>
    </>
  );
}
