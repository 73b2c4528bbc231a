import type { MailCheck } from "@app/shared/mail-check";
import { IconBan, IconCheck, IconInfoCircle, IconShield } from "@tabler/icons-react";
import { PartyMarker } from "../../ui/party-marker.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;
const ICONS = { fine: IconCheck, neutral: IconShield, know: IconInfoCircle } as const;

interface Props {
  check: MailCheck | null;
  failure: string;
}

/** What stands against the message, what is in order, and what each party will see. */
export function ComposePanel({ check, failure }: Props) {
  return (
    <aside className="compose-panel" aria-label="Before it goes">
      <h3>Before it goes</h3>
      {failure && <p role="alert">{failure}</p>}
      {!check && !failure && <p className="compose-detail">Checking</p>}
      <ul className="compose-points" aria-live="polite">
        {check && <Refused check={check} />}
        {check?.problems
          .filter(({ code, address }) => code !== "other_party" || !address)
          .map(({ title, detail, address, fileId }) => (
            <li key={`${title}${address ?? fileId ?? ""}`} data-kind="problem">
              <IconBan {...icon} />
              <Point title={title} detail={detail} />
            </li>
          ))}
        {check?.notes.map(({ kind, title, detail }) => {
          const Icon = ICONS[kind];
          return (
            <li key={title} data-kind={kind}>
              <Icon {...icon} />
              <Point title={title} detail={detail} />
            </li>
          );
        })}
      </ul>
      {check && check.sees.length > 0 && (
        <>
          <h4>What will each party see?</h4>
          <ul className="compose-sees">
            {check.sees.map(({ label, text }) => (
              <li key={label}>
                <PartyMarker label={label} /> {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}

/** Said at length beside the recipients: here only who it is. */
function Refused({ check }: { check: MailCheck }) {
  const refused = check.recipients.filter(({ mayReceive }) => !mayReceive);
  if (refused.length === 0) return null;
  return (
    <li data-kind="problem">
      <IconBan {...icon} />
      <Point
        title={`${refused.length} ${refused.length === 1 ? "person" : "people"} may not receive it`}
        detail={refused
          .map(({ name, address, role }) => `${name || address}, ${role || "other participant"}`)
          .join("; ")}
      />
    </li>
  );
}

const Point = ({ title, detail }: { title: string; detail: string }) => (
  <div>
    <strong>{title}</strong>
    {detail && <span className="compose-detail">{detail}</span>}
  </div>
);
