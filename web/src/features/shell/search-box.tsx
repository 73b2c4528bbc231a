import { can } from "@app/shared/access";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { IconSearch, IconUser, IconUserPlus } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import "@mantine/spotlight/styles.css";
import "./search-box.css";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useCurrentUser } from "../../core/session.ts";
import { navigationFor } from "./navigation-items.ts";

const DELAY_MS = 150;
const LETTERS_MIN = 2;
const CLIENTS_SHOWN = 6;
const [store, box] = createSpotlight();

/** Opens anew with each opening that is counted. */
export function SearchBox({ openings }: { openings: number }) {
  const user = useCurrentUser();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text.trim(), DELAY_MS);
  useEffect(() => box.open(), [openings]);

  const isSearching = wanted.length >= LETTERS_MIN && can(user, "clients.read");
  const found = api.clients.list.useQuery({ search: wanted }, { enabled: isSearching });
  const clients = isSearching ? (found.data?.items.slice(0, CLIENTS_SHOWN) ?? []) : [];
  const { work, practice } = navigationFor(user);
  const includesText = (label: string) => label.toLowerCase().includes(text.trim().toLowerCase());
  const pages = [...work, ...practice].filter(({ label }) => includesText(label));
  const canAdd = can(user, "clients.write") && includesText("New client");

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
        placeholder="Search clients and pages"
        aria-label="Search clients and pages"
        leftSection={<IconSearch size={16} stroke={1.7} />}
      />
      <Spotlight.ActionsList>
        {clients.length > 0 && (
          <Spotlight.ActionsGroup label="Clients">
            {clients.map(({ id, displayName, email }) => (
              <Spotlight.Action
                key={id}
                label={displayName}
                description={email}
                leftSection={<IconUser size={16} stroke={1.7} />}
                onClick={() => void navigate({ to: "/clients/view/$id", params: { id } })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {pages.length > 0 && (
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
        )}
        {canAdd && (
          <Spotlight.ActionsGroup label="Actions">
            <Spotlight.Action
              label="New client"
              leftSection={<IconUserPlus size={16} stroke={1.7} />}
              onClick={() => void navigate({ to: "/clients/create" })}
            />
          </Spotlight.ActionsGroup>
        )}
        {found.error && <Spotlight.Empty>{messageOf(found.error)}</Spotlight.Empty>}
        {clients.length + pages.length === 0 && !canAdd && !found.isFetching && !found.error && (
          <Spotlight.Empty>
            Nothing found. Try a part of the name, the email address or the phone number.
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
