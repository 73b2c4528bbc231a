import { can } from "@app/shared/access";
import type { SealCertificate } from "@app/shared/signatures";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { later } from "../../ui/later.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { Section } from "../../ui/section.tsx";

const AddCertificateDialog = later(async () => (await import("./add-certificate-dialog.tsx")).AddCertificateDialog);

/** By which certificate what was signed is sealed: the practice's own, or the key that was made for it. For the owner. */
export function SealSection() {
  const user = useCurrentUser();
  if (!user.hasAccess || !can(user, "practice.manage")) return null;
  return (
    <PageGrid main="text">
      <OwnSeal />
    </PageGrid>
  );
}

function OwnSeal() {
  const query = api.signatures.certificate.get.useQuery();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Section
      title="Document seal"
      action={
        <Button size="xs" variant="default" onClick={() => setIsAdding(true)}>
          {query.data ? "Replace the certificate" : "Add a certificate"}
        </Button>
      }
    >
      <Loaded query={query} failureTitle="The certificate could not be read">
        {(certificate) =>
          certificate ? (
            <AddedCertificate certificate={certificate} />
          ) : (
            <p className="quiet-text">
              Documents that everybody signed are sealed by a key that was made for your practice. Readers of PDFs show
              that nothing was changed, and that they do not know who issued the key. With a certificate of an issuer
              that they know, they show your practice’s name as well.
            </p>
          )
        }
      </Loaded>
      {isAdding && <AddCertificateDialog onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

interface Props {
  certificate: SealCertificate;
}

function AddedCertificate({ certificate: { subject, issuer, endsAt, isOver, addedAt, addedByName } }: Props) {
  const formats = useFormats();
  const utils = api.useUtils();
  const [isRemoving, setIsRemoving] = useState(false);
  const removing = api.signatures.certificate.remove.useMutation({
    onError: (error) => notifyError(messageOf(error)),
    onSuccess: async () => {
      await utils.signatures.certificate.invalidate();
      notify("The certificate is gone from here");
      setIsRemoving(false);
    },
  });
  return (
    <>
      <Facts
        labelWidth={100}
        facts={[
          { label: "Issued to", value: subject },
          { label: "Issued by", value: issuer },
          { label: "Valid until", value: formats.day(endsAt) },
          { label: "Added", value: `${formats.day(addedAt)} by ${addedByName}` },
        ]}
      />
      {isOver && (
        <p role="alert">
          It is over, so documents are sealed by the key that was made for your practice. Add a new one.
        </p>
      )}
      <Button size="xs" variant="subtle" color="red" mt="xs" onClick={() => setIsRemoving(true)}>
        Remove
      </Button>
      {isRemoving && (
        <ConfirmDialog
          isOpen
          title="Remove the certificate?"
          confirmLabel="Remove"
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate()}
          onClose={() => setIsRemoving(false)}
        >
          Documents are then sealed by the key that was made for your practice. Those that are sealed stay as they are.
        </ConfirmDialog>
      )}
    </>
  );
}
