import type { Device } from "@app/shared/auth";
import { Button, Group } from "@mantine/core";
import { IconDeviceDesktop } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/section.tsx";
import "./device-list.css";

export function DeviceList() {
  const devices = api.auth.listDevices.useQuery();
  const [isAsking, setIsAsking] = useState(false);
  const utils = api.useUtils();
  const everywhereElse = api.auth.signOutEverywhere.useMutation({
    onSuccess: async () => {
      await utils.auth.listDevices.invalidate();
      setIsAsking(false);
      notify("Every other device is signed out");
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Section title="Signed in on" count={devices.data?.length}>
      <Loaded query={devices} failureTitle="Your devices could not be read">
        {(items) => (
          <ul className="rows">
            {items.map((device) => (
              <DeviceRow key={device.id} device={device} />
            ))}
          </ul>
        )}
      </Loaded>
      <Group mt="md">
        <Button variant="default" onClick={() => setIsAsking(true)}>
          Sign out everywhere else
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Sign out everywhere else"
        confirmLabel="Sign out everywhere else"
        isDestructive={false}
        isBusy={everywhereElse.isPending}
        onConfirm={() => everywhereElse.mutate()}
      >
        Every device but this one is signed out. What is typed and not saved there is lost.
      </ConfirmDialog>
    </Section>
  );
}

function DeviceRow({ device }: { device: Device }) {
  const utils = api.useUtils();
  const formats = useFormats();
  const end = api.auth.endDevice.useMutation({
    onSuccess: async () => {
      await utils.auth.listDevices.invalidate();
      notify(`${device.browser} is signed out`);
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <li>
      <IconDeviceDesktop size={16} stroke={1.7} aria-hidden />
      <span className="device-name">
        {device.browser}
        <span className="quiet-text">
          {device.address}, last seen{" "}
          <time dateTime={device.lastSeenAt} title={formats.dateTime(device.lastSeenAt)}>
            {formats.relative(device.lastSeenAt)}
          </time>
        </span>
      </span>
      {device.isThisOne ? (
        <Chip tone="agreed">This device</Chip>
      ) : (
        <Button
          variant="default"
          size="xs"
          aria-label={`Sign out ${device.browser} at ${device.address}`}
          loading={end.isPending}
          onClick={() => end.mutate({ id: device.id })}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
