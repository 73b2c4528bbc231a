import { MAIL_RECIPIENTS_MAX, type MailCheck, type MailRecipient, type MailStart } from "@app/shared/mail-check";
import { Autocomplete } from "@mantine/core";
import { IconBan, IconBriefcase, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { PartyMarker } from "../../ui/party-marker.tsx";

const ADDRESS = /^[^\s@,;<>]+@[^\s@,;<>][^\s@.,;<>]*\.[^\s@,;<>]+$/;

interface Props {
  label: "To" | "Cc";
  value: MailRecipient[];
  choices: MailStart["choices"];
  check: MailCheck | null;
  onChange: (value: MailRecipient[]) => void;
}

/** Who gets it: chips, and a field for one more, chosen or typed. */
export function RecipientsField({ label, value, choices, check, onChange }: Props) {
  const typing = useTyping({ value, choices, onChange });
  return (
    <div className="compose-line">
      <span className="compose-label" aria-hidden>
        {label}
      </span>
      <div className="compose-people">
        {value.map((one) => (
          <RecipientChip
            key={one.address}
            recipient={one}
            found={check?.recipients.find(({ address }) => address === one.address)}
            onRemove={() => onChange(value.filter(({ address }) => address !== one.address))}
          />
        ))}
        {value.length < MAIL_RECIPIENTS_MAX && (
          <AddField label={label} value={value} choices={choices} typing={typing} onChange={onChange} />
        )}
      </div>
    </div>
  );
}

type Listed = Pick<Props, "value" | "choices" | "onChange">;

/** The address that is being typed, until it is one of those who get the message. */
function useTyping({ value, choices, onChange }: Listed) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  /** How many were added: each time the field begins anew, closed, so that it covers nothing of what is said below. */
  const [begun, setBegun] = useState({ times: 0, isFocused: false });
  const add = (text: string, isFocused = true) => {
    const address = text.trim().replace(/[,;]$/, "").toLowerCase();
    if (!address) return;
    if (!ADDRESS.test(address)) return setProblem("This is no email address: it should look like name@example.org.");
    const known = choices.find((one) => one.address === address);
    if (!value.some((one) => one.address === address)) onChange([...value, { name: known?.name ?? "", address }]);
    setTyped("");
    setProblem("");
    setBegun({ times: begun.times + 1, isFocused });
  };
  const type = (text: string) => {
    setTyped(text);
    setProblem("");
  };
  return { typed, type, problem, begun, add };
}

interface AddProps extends Listed {
  label: Props["label"];
  typing: ReturnType<typeof useTyping>;
}

function AddField({ label, value, choices, typing: { typed, type, problem, begun, add }, onChange }: AddProps) {
  const left = choices.filter(({ address }) => !value.some((one) => one.address === address));
  return (
    <Autocomplete
      key={begun.times}
      className="compose-add"
      autoFocus={begun.isFocused}
      aria-label={label === "To" ? "Add somebody under To" : "Add somebody under Cc"}
      placeholder={value.length === 0 ? "Choose, or type an address" : ""}
      variant="unstyled"
      comboboxProps={{ withinPortal: false }}
      data={left.map(({ address }) => address)}
      renderOption={({ option }) => <Choice choice={left.find(({ address }) => address === option.value)} />}
      filter={({ options, search }) =>
        options.filter((option) => {
          const value = "value" in option ? option.value : "";
          const name = left.find(({ address }) => address === value)?.name ?? "";
          return `${name} ${value}`.toLowerCase().includes(search.toLowerCase());
        })
      }
      value={typed}
      error={problem || undefined}
      onChange={(text) => {
        type(text);
        // A choice comes as its address, as if somebody had typed it to the end.
        if (/[,;]$/.test(text) || left.some(({ address }) => address === text)) add(text);
      }}
      onBlur={() => {
        if (typed) add(typed, false);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && ADDRESS.test(typed.trim())) {
          event.preventDefault();
          add(typed);
        }
        if (event.key === "Backspace" && typed === "") onChange(value.slice(0, -1));
      }}
    />
  );
}

function Choice({ choice }: { choice: MailStart["choices"][number] | undefined }) {
  if (!choice) return null;
  return (
    <span className="compose-choice">
      {choice.label && <PartyMarker label={choice.label} />}
      <span>
        {choice.name}
        {choice.role && `, ${choice.role}`}
      </span>
      <span className="compose-detail">{choice.isOtherParty ? "cannot get this message" : choice.address}</span>
    </span>
  );
}

interface ChipProps {
  recipient: MailRecipient;
  found: MailCheck["recipients"][number] | undefined;
  onRemove: () => void;
}

function RecipientChip({ recipient, found, onRemove }: ChipProps) {
  const name = found?.name || recipient.name;
  const isRefused = found?.mayReceive === false;
  const isParty = Boolean(found?.label) && (found?.role === "" || found?.role === "other participant");
  const words = isParty || !found?.role || found.role === "not known here" ? recipient.address : found.role;
  const text = name ? (isRefused ? name : `${name}, ${words}`) : recipient.address;
  return (
    <span className="compose-person" data-refused={isRefused || undefined} data-label={found?.label.toLowerCase()}>
      {isRefused && <IconBan size={16} stroke={1.7} role="img" aria-label="Cannot receive this:" />}
      {isParty && found ? (
        <PartyMarker label={found.label} />
      ) : (
        found?.role && found.role !== "not known here" && <IconBriefcase size={16} stroke={1.7} aria-hidden />
      )}
      <span className="compose-person-name" title={recipient.address}>
        {text}
      </span>
      <button type="button" className="compose-remove" aria-label={`Remove ${text}`} onClick={onRemove}>
        <IconX size={14} stroke={1.7} aria-hidden />
      </button>
    </span>
  );
}
