import type { FeedLevel } from "@app/shared/meetings";
import { Button, CopyButton, Group, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";

const LEVEL_NAMES: Record<FeedLevel, string> = {
  initials: "Kind of meeting and initials",
  busy: "Only that the time is taken",
  full: "Names and places",
};

/** The address by which somebody's own calendar program reads their meetings. */
export function CalendarFeed() {
  const utils = api.useUtils();
  const formats = useFormats();
  const feed = api.meetings.feed.useQuery();
  const [level, setLevel] = useState<FeedLevel>("initials");
  const [address, setAddress] = useState<string | null>(null);
  const options = { onSettled: () => utils.meetings.feed.invalidate() };
  const make = api.meetings.makeFeed.useMutation(options);
  const revoke = api.meetings.revokeFeed.useMutation(options);
  const act = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  const begin = async () => setAddress((await make.mutateAsync({ level })).address);
  const end = async () => {
    await revoke.mutateAsync();
    setAddress(null);
    notify("The address no longer works");
  };
  return (
    <Stack gap="md">
      <p className="quiet-text">
        A secret address that your phone or calendar program reads. Calendar programs keep copies on their own servers,
        so choose how much of a meeting stands there.
      </p>
      <LevelField value={level} onChange={setLevel} />
      {address && <FeedAddress address={address} />}
      <Loaded query={feed} failureTitle="Your subscription could not be read">
        {(current) => (
          <Group>
            <Button loading={make.isPending} onClick={() => void act(begin)}>
              {current ? "Make a new address" : "Make the address"}
            </Button>
            {current && (
              <>
                <Button variant="default" loading={revoke.isPending} onClick={() => void act(end)}>
                  End it
                </Button>
                <span className="quiet-text">
                  In use since {formats.day(current.createdAt)}: {LEVEL_NAMES[current.level].toLowerCase()}
                </span>
              </>
            )}
          </Group>
        )}
      </Loaded>
    </Stack>
  );
}

function LevelField({ value, onChange }: { value: FeedLevel; onChange: (level: FeedLevel) => void }) {
  return (
    <Radio.Group
      label="What it shows"
      value={value}
      onChange={(chosen) => onChange(chosen === "busy" || chosen === "full" ? chosen : "initials")}
    >
      <Stack gap="xs" pt="xs">
        {Object.entries(LEVEL_NAMES).map(([level, label]) => (
          <Radio key={level} value={level} label={label} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function FeedAddress({ address }: { address: string }) {
  return (
    <Group align="flex-end" wrap="nowrap">
      <TextInput
        label="Address"
        description="Shown only now"
        value={address}
        readOnly
        style={{ flex: 1 }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={address}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? "Copied" : "Copy"}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
