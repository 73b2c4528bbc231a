import type { Dashboard } from "@app/shared/dashboard";
import { daysBetween } from "@app/shared/days";
import { useFormats } from "../../core/format.ts";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import "../../ui/clock-bar.css";

/** Certificates that run out within a month, each with how much of its four months has gone. */
export function ExpiringCertificates({ certificates }: { certificates: Dashboard["certificates"] }) {
  const formats = useFormats();
  return (
    <Section title="Certificates about to expire" count={certificates.total || undefined}>
      {certificates.items.length === 0 ? (
        <p className="dashboard-nothing">None within a month.</p>
      ) : (
        certificates.items.map(({ id, clientId, clientName, countedFrom, expiresOn, daysLeft }) => {
          const whole = daysBetween(countedFrom, expiresOn);
          return (
            <div key={id} className="clock-row">
              <TextLink to="/clients/view/$id" params={{ id: clientId }} inherit>
                {clientName}
              </TextLink>
              <div className="clock-bar" aria-hidden>
                <div style={{ width: `${((whole - daysLeft) / whole) * 100}%` }} />
              </div>
              <span className="tabular">
                <strong>{daysLeft === 1 ? "1 day" : `${daysLeft} days`}</strong> {formats.shortDay(expiresOn)}
              </span>
            </div>
          );
        })
      )}
    </Section>
  );
}
