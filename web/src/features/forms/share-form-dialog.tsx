import type { Form as FormRecord } from "@app/shared/forms";
import { Button, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { later } from "../../ui/later.tsx";
import "./share-form.css";

const QrPicture = later(
  async () => (await import("../../ui/qr-picture.tsx")).QrPicture,
  <span className="qr-picture" />,
);

/** Higher than the longest page of most forms, so that nothing is scrolled within the page around it. */
const FRAME_HEIGHT = 900;

interface Props {
  formId: string;
  onClose: () => void;
}

/** How a form reaches people: by its address, as a picture for print, or, for enquiries, within the practice's website. */
export function ShareFormDialog({ formId, onClose }: Props) {
  const form = api.forms.get.useQuery({ id: formId });
  return (
    <Dialog isOpen onClose={onClose} title="Share this form" size="form">
      <Loaded query={form} failureTitle="The form could not be read">
        {(data) =>
          data.kind === "screening" ? (
            <p className="quiet-text">
              Send it to a client: open the client, and choose Forms. Safety questions ask nobody’s name, so that by an
              address for everybody you could not tell who needs your help.
            </p>
          ) : (
            <General form={data} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function General({ form, onClose }: { form: FormRecord; onClose: () => void }) {
  const general = api.submissions.generalAddress.useQuery({ id: form.id });
  return (
    <Loaded query={general} failureTitle="The address could not be read">
      {({ address }) => (
        <>
          <Copied label="Address" text={address} />
          <QrPicture text={address} label="The address as a picture for a phone’s camera" />
          {form.kind === "lead" ? (
            <Websites form={form} address={address} onClose={onClose} />
          ) : (
            <p className="quiet-text">
              Anybody who has this address can fill in the form. The answers are nobody’s until you say whose they are.
              For a link that is one client’s own, open the client and choose Forms.
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Copied({ label, text, isLong = false }: { label: string; text: string; isLong?: boolean }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notify("Copied");
    } catch {
      // Pages without TLS may not write there.
      notifyError("Your browser does not allow it here. Select the text and copy it yourself.");
    }
  };
  const shown = {
    label,
    value: text,
    readOnly: true,
    onFocus: (event: { currentTarget: { select(): void } }) => event.currentTarget.select(),
  };
  return (
    <div className="share-copied">
      {isLong ? <Textarea {...shown} autosize minRows={3} /> : <TextInput {...shown} />}
      <Button variant="default" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}

interface Values {
  websites: string;
  redirectUrl: string;
}

interface WebsitesProps {
  form: FormRecord;
  address: string;
  onClose: () => void;
}

function Websites({ form: { id, sharing, content }, address, onClose }: WebsitesProps) {
  const utils = api.useUtils();
  const set = api.forms.setSharing.useMutation();
  const form = useServerForm<Values>({
    initialValues: { websites: sharing.embedOrigins.join("\n"), redirectUrl: sharing.redirectUrl },
    async submit({ websites, redirectUrl }) {
      const embedOrigins = websites.split(/\s+/).filter(Boolean);
      utils.forms.get.setData({ id }, await set.mutateAsync({ id, embedOrigins, redirectUrl }));
      notify("Saved");
      onClose();
    },
  });
  const frame = snippetOf(address, content.title);
  return (
    <Form form={form} label="Websites" className="share-websites">
      <Textarea
        label="Websites that may show it"
        description="One in a line, such as https://www.example.org. No other website can show it within a page."
        autosize
        minRows={2}
        {...form.field("websites")}
        error={form.errors["embedOrigins"] ?? form.errors["websites"]}
      />
      <Copied label="For those websites: put this where the form is to stand" text={frame} isLong />
      <p className="quiet-text">
        The lines between the script tags tell the lead which campaign brought people (utm_source and the like). Where
        your website allows no scripts, leave them out: the form works without them.
      </p>
      <TextInput
        label="Where people go once they sent it (optional)"
        description="A page of your website that begins with https://. Empty: the thanks of the form."
        {...form.field("redirectUrl")}
      />
      <FormFoot isSaving={form.isSaving}>Save</FormFoot>
    </Form>
  );
}

/** The frame alone does all; the lines below it hand on the campaign that the page around it was opened by. */
function snippetOf(address: string, title: string): string {
  const frame = `<iframe src="${address}" title="${attribute(title)}" width="100%" height="${FRAME_HEIGHT}" style="border:0" loading="lazy" referrerpolicy="origin"></iframe>`;
  return `${frame}
<script>
(function (frame) {
  if (!frame) return;
  var address = new URL(frame.src);
  new URLSearchParams(location.search).forEach(function (value, name) {
    if (name.indexOf("utm_") === 0) address.searchParams.set(name, value);
  });
  if (address.search) frame.src = address.href;
})(document.querySelector('iframe[src^="${address}"]'));
</script>`;
}

const attribute = (text: string): string => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
