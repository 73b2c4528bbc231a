import type { Case } from "@app/shared/cases";
import type { ClientMail, OpenMail } from "@app/shared/inbox";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { MailActions } from "./mail-actions.tsx";
import { MailAttachments } from "./mail-attachments.tsx";
import { mailAddress, type MailPlace } from "./mail-place.ts";
import { PlainText } from "./plain-text.tsx";

interface Props {
  clientId: string;
  theCase: Case | null;
  mail: ClientMail;
}

const names = (people: ClientMail["to"]): string =>
  people.map(({ name, address }) => (name ? `${name} (${address})` : address)).join(", ");

/** A mail of the mailbox, read when it is opened. */
export function ReceivedMessage({ clientId, theCase, mail }: Props) {
  const { folder, uidValidity, uid } = mail;
  const place = { clientId, folder, uidValidity, uid };
  const opened = api.inbox.open.useQuery(place, { staleTime: Infinity });
  return (
    <>
      <div className="message-meta">
        From {names([mail.from])}, to {names(mail.to)}
        {mail.cc.length > 0 && <>, copied to {names(mail.cc)}</>}
      </div>
      {mail.isSenderDoubted && (
        <div className="message-note" role="note">
          The mail provider could not confirm that {mail.from.address || "its sender"} wrote this message. It may be
          from somebody else: ask them in another way before you act on it.
        </div>
      )}
      <Loaded query={opened} failureTitle="This message could not be read">
        {(open) => (
          <>
            <Body open={open} place={place} subject={mail.subject} />
            <MailAttachments place={place} theCase={theCase} attachments={mail.attachments} />
            <MailActions clientId={clientId} theCase={theCase} open={open} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Body({ open, place, subject }: { open: OpenMail; place: MailPlace; subject: string }) {
  const [showsImages, setShowsImages] = useState(false);
  return (
    <>
      {open.hasRemoteImages && !showsImages && (
        <div className="message-note">
          Pictures from other servers are not shown, because their sender would learn that you read this.
          <Button size="xs" variant="default" onClick={() => setShowsImages(true)}>
            Show images
          </Button>
        </div>
      )}
      {open.isHtml ? (
        <iframe
          key={String(showsImages)}
          className="message-frame"
          title={`Message: ${subject || "no subject"}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          src={mailAddress("message", place, showsImages)}
        />
      ) : (
        <PlainText text={open.text || "This message has no text."} />
      )}
      {open.isCut && <div className="message-note">Only the beginning of this very long message is shown.</div>}
    </>
  );
}
