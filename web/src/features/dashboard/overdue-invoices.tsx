import { api } from "../../core/api.ts";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";

/** How many invoices are late, and the way to them. */
export function OverdueInvoices() {
  const { data } = api.invoices.list.useQuery({ isOverdue: true });
  return (
    <Section
      title="Money due"
      count={data?.total || undefined}
      action={<TextLink to="/payment-settings">All invoices</TextLink>}
    >
      <p className="dashboard-nothing">
        {data?.total === 0 && "No invoice is overdue."}
        {data !== undefined && data.total > 0 && (
          <TextLink to="/payment-settings" search={{ due: "overdue" }} inherit>
            {data.total === 1
              ? "1 invoice is overdue"
              : `${data.total}${data.isTotalExact ? "" : "+"} invoices are overdue`}
          </TextLink>
        )}
      </p>
    </Section>
  );
}
