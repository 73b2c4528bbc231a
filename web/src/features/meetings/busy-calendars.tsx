import { cutText } from "@app/shared/cut-text";
import { Button, FileButton, Group, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";

/** When somebody is busy by their other calendars. */
export function BusyCalendars() {
  const formats = useFormats();
  const utils = api.useUtils();
  const calendars = api.meetings.listBusy.useQuery();
  const options = { onSettled: () => utils.meetings.invalidate() };
  const importBusy = api.meetings.importBusy.useMutation(options);
  const remove = api.meetings.removeBusy.useMutation(options);
  const take = async (file: File | null) => {
    if (!file) return;
    try {
      const name = cutText(file.name.replace(/\.ics$/i, ""), 60) || "Calendar";
      await importBusy.mutateAsync({ name, ics: await file.text() });
      notify(`The busy times of ${name} are taken`);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <Stack gap="md">
      <p className="quiet-text">
        Export your other calendar as an .ics file and choose it here: its times are then taken, and nothing of what
        they are about is kept. The same file name again replaces it.
      </p>
      <Loaded query={calendars} failureTitle="Your other calendars could not be read">
        {({ items }) => (
          <>
            {items.map(({ name, count, importedAt }) => (
              <Group key={name} justify="space-between" fz={13}>
                <span>
                  {name}: {count === 1 ? "1 time" : `${count} times`}, {formats.day(importedAt)}
                </span>
                <Button
                  size="xs"
                  variant="default"
                  loading={remove.isPending}
                  onClick={() => void remove.mutateAsync({ name })}
                  aria-label={`Remove ${name}`}
                >
                  Remove
                </Button>
              </Group>
            ))}
          </>
        )}
      </Loaded>
      <Group>
        <FileButton accept=".ics,text/calendar" onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={importBusy.isPending}>
              Choose an .ics file
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}
