import { can } from "@app/shared/access";
import { PAGE_SIZE } from "@app/shared/product";
import { isBeingSigned, type Signature, SIGNATURE_STATUS_WORDS, type Signer } from "@app/shared/signatures";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { SignatureActions } from "./signature-actions.tsx";
import { SignerActions } from "./signer-actions.tsx";
import "./signatures.css";

interface Props {
  clientId: string;
  maySend: boolean;
}

/** What this client was asked to sign, and how far it is; nothing where nothing ever was. */
export function SignaturesSection({ clientId, maySend }: Props) {
  const [page, setPage] = useState(1);
  const { data } = api.signatures.list.useQuery({ clientId, page });
  if (!data || data.total === 0) return null;
  return (
    <Section title="Signatures" count={data.total}>
      <ul className="signatures">
        {data.items.map((signature) => (
          <SignatureRow key={signature.id} signature={signature} maySend={maySend} />
        ))}
      </ul>
      {data.total > PAGE_SIZE && (
        <Pager page={page} pageSize={PAGE_SIZE} total={data.total} words={["document", "documents"]} onPage={setPage} />
      )}
    </Section>
  );
}

/** The same of one file, such as that of a finished document. */
export function FileSignatures({ fileId, caseId }: { fileId: string; caseId: string }) {
  const user = useCurrentUser();
  const { data } = api.signatures.ofCase.useQuery({ caseId });
  const items = data?.items.filter((signature) => signature.fileId === fileId) ?? [];
  if (items.length === 0) return null;
  const maySend = can(user, "documents.manage") && can(user, "mail.send");
  return (
    <Section title="Signatures">
      <ul className="signatures">
        {items.map((signature) => (
          <SignatureRow key={signature.id} signature={signature} maySend={maySend} />
        ))}
      </ul>
    </Section>
  );
}

function SignatureRow({ signature, maySend }: { signature: Signature; maySend: boolean }) {
  const formats = useFormats();
  const { fileName, status, isAgreement, signers, createdAt, createdByName, sealedFileId } = signature;
  return (
    <li>
      <Group gap="xs">
        <strong>{fileName}</strong>
        <Chip>{SIGNATURE_STATUS_WORDS[status]}</Chip>
        {isAgreement && <Chip>Agreement to mediate</Chip>}
      </Group>
      <p className="quiet-text">
        Sent out {formats.dateTime(createdAt)} by {createdByName}
      </p>
      <ul className="signers">
        {signers.map((signer) => (
          <li key={signer.id}>
            <SignerLine signer={signer} isCodeAsked={signature.isCodeAsked && isBeingSigned(status)} />
            <SignerActions signature={signature} signer={signer} maySend={maySend} />
          </li>
        ))}
      </ul>
      <Group gap="xs">
        {sealedFileId && (
          <Button component="a" size="xs" variant="default" href={`/files/${sealedFileId}`} download>
            Download the signed document
          </Button>
        )}
        <SignatureActions signature={signature} maySend={maySend} />
      </Group>
    </li>
  );
}

function SignerLine({ signer, isCodeAsked }: { signer: Signer; isCodeAsked: boolean }) {
  const formats = useFormats();
  const { kind, name, state, dueAt, signedAt, declinedAt, openedAt, askedAt, declineReason, task, stepRefused } =
    signer;
  const at = (instant: string | null) => (instant ? formats.dateTime(instant) : "");
  const words = {
    waiting: task ? "Not emailed: a colleague was asked to tell them" : "Not asked yet",
    asked: `Asked ${at(askedAt)}, has not opened it. Until ${at(dueAt)}`,
    opened: `Opened ${at(openedAt)}, has not signed. Until ${at(dueAt)}`,
    signed: `Signed ${at(signedAt)}`,
    declined: `Refused ${at(declinedAt)}${declineReason ? `: “${declineReason}”` : ""}`,
    expired: `Did not sign by ${at(dueAt)}`,
  }[state];
  return (
    <div>
      <strong>{kind === "mediator" ? `${name} (mediator)` : name}</strong> <span className="quiet-text">{words}</span>
      {isCodeAsked && kind === "party" && !signer.hasCode && !signedAt && (
        <p className="quiet-text">They need a code before they can open it: give it to them by phone.</p>
      )}
      {stepRefused && <p className="signature-warning">The case did not move: {stepRefused}</p>}
    </div>
  );
}
