import { can } from "@app/shared/access";
import type { SearchHit } from "@app/shared/search";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { IconAddressBook, IconFile, IconFolder, IconSearch, IconUser } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import "@mantine/spotlight/styles.css";
import "./search-box.css";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useToday } from "../../core/today.ts";
import { commandsFor, commandsLike } from "./commands.ts";
import { navigationFor } from "./navigation-items.ts";
import type { Command } from "./new-commands.ts";

const DELAY_MS = 20;
const LETTERS_MIN = 2;
const [store, box] = createSpotlight();

const GROUPS = [
  { kind: "client", label: "Clients", icon: IconUser },
  { kind: "case", label: "Cases", icon: IconFolder },
  { kind: "contact", label: "Contacts", icon: IconAddressBook },
  { kind: "file", label: "Files", icon: IconFile },
] as const;

/** Opens anew with each opening that is counted. */
export function SearchBox({ openings }: { openings: number }) {
  const user = useCurrentUser();
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text.trim(), DELAY_MS);
  useEffect(() => box.open(), [openings]);

  const isSearching = wanted.length >= LETTERS_MIN && can(user, "clients.read");
  const found = api.search.find.useQuery({ text: wanted }, { enabled: isSearching });
  const hits = isSearching ? (found.data?.items ?? []) : [];
  const { work, practice } = navigationFor(user);
  const includesText = (label: string) => label.toLowerCase().includes(text.trim().toLowerCase());
  const pages = [...work, ...practice].filter(({ label }) => includesText(label));
  const { pathname } = useLocation();
  const clientId = /^\/clients\/view\/([\w-]+)$/.exec(pathname)?.[1];
  const commands = commandsLike(commandsFor(user, { today: useToday(), clientId }), text);

  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder="Search clients, cases, contacts, files, or type what to do"
        aria-label="Search clients, cases, contacts, files, or type what to do"
        leftSection={<IconSearch size={16} stroke={1.7} />}
      />
      <Spotlight.ActionsList>
        <HitGroups hits={hits} isNear={found.data?.isNear ?? false} />
        {pages.length > 0 && <PageGroup pages={pages} />}
        {commands.length > 0 && <CommandGroup commands={commands} />}
        {found.error && <Spotlight.Empty>{messageOf(found.error)}</Spotlight.Empty>}
        {hits.length + pages.length + commands.length === 0 && !found.isFetching && !found.error && (
          <Spotlight.Empty>
            Nothing found. Try a part of the name, the reference, the email address or the phone number.
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function HitGroups({ hits, isNear }: { hits: readonly SearchHit[]; isNear: boolean }) {
  const open = useOpenHit();
  return GROUPS.map(({ kind, label, icon: Icon }) => {
    const ofKind = hits.filter((hit) => hit.kind === kind);
    return (
      ofKind.length > 0 && (
        <Spotlight.ActionsGroup key={kind} label={isNear ? `${label} with a similar name` : label}>
          {ofKind.map((hit) => (
            <Spotlight.Action
              key={hit.id}
              data-found={kind}
              label={hit.title}
              description={hit.detail}
              leftSection={<Icon size={16} stroke={1.7} />}
              onClick={() => void open(hit)}
            />
          ))}
        </Spotlight.ActionsGroup>
      )
    );
  });
}

function useOpenHit() {
  const navigate = useNavigate();
  return ({ kind, id, clientId }: SearchHit) => {
    if (kind === "contact") return navigate({ to: "/contacts", search: { open: id } });
    const params = { id: clientId ?? "" };
    if (kind === "case") return navigate({ to: "/clients/view/$id", params, search: { tab: "case", case: id } });
    if (kind === "file") return navigate({ to: "/clients/view/$id", params, search: { tab: "files", open: id } });
    return navigate({ to: "/clients/view/$id", params: { id } });
  };
}

function CommandGroup({ commands }: { commands: readonly Command[] }) {
  const navigate = useNavigate();
  return (
    <Spotlight.ActionsGroup label="Actions">
      {commands.map(({ label, hint, to, icon: Icon }) => (
        <Spotlight.Action
          key={label}
          label={label}
          {...(hint ? { description: hint } : {})}
          leftSection={<Icon size={16} stroke={1.7} />}
          onClick={() => void navigate({ to })}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

function PageGroup({ pages }: { pages: ReturnType<typeof navigationFor>["work"] }) {
  const navigate = useNavigate();
  return (
    <Spotlight.ActionsGroup label="Pages">
      {pages.map(({ to, label, icon: Icon }) => (
        <Spotlight.Action
          key={to}
          label={label}
          leftSection={<Icon size={16} stroke={1.7} />}
          onClick={() => void navigate({ to })}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}
