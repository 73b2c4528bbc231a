import { api } from "../../core/api.ts";
import { TextLink } from "../../ui/links.tsx";
import "./mailings.css";

/** Whether there is a mailbox by which a mailing of this person can leave; true until it is known. */
export const useHasSender = (): boolean => api.mailings.getSender.useQuery().data?.address !== null;

/** By whose mailbox a mailing leaves or, where there is none, what to do first. */
export function MailingSender() {
  const { data } = api.mailings.getSender.useQuery();
  if (!data) return null;
  if (data.address !== null) return <p className="quiet-text mailing-sender">Leaves from {data.address}.</p>;
  return (
    <p className="mailing-sender">
      A mailing leaves by a connected mailbox only.{" "}
      <TextLink to="/email-settings" search={{ tab: "mailbox" }} inherit underline="always">
        Connect yours
      </TextLink>
      , or ask a colleague to share theirs for sending. It can be sent then.
    </p>
  );
}
