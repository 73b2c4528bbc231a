import { ActionIcon, Menu, SegmentedControl } from "@mantine/core";
import { IconChartBar, IconDots, IconDownload, IconForms, IconMailForward, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { downloadOf } from "../../core/download.ts";
import { exportAddress } from "../../core/list-search.ts";
import { LinkButton } from "../../ui/links.tsx";
import { type LeadsSearch, listOnly, withoutDialog } from "./leads-search.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

const VIEWS = [
  { value: "board", label: "Board" },
  { value: "list", label: "List" },
];

/** How leads are shown, and what can be done with all of them. */
export function LeadsActions({ search }: { search: LeadsSearch }) {
  const navigate = useNavigate();
  const place = withoutDialog(search);
  const { view: _view, state: _state, age: _age, page: _page, sort: _sort, descending: _down, ...shared } = place;
  const open = (over: LeadsSearch) => void navigate({ to: "/leads", search: { ...place, ...over } });
  return (
    <>
      <SegmentedControl
        className="leads-views"
        aria-label="How leads are shown"
        data={VIEWS}
        value={search.view ?? "board"}
        onChange={(view) =>
          void navigate({ to: "/leads", search: view === "list" ? { ...shared, view } : shared, replace: true })
        }
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} className="leads-more" aria-label="More about leads">
            <IconDots size={16} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconForms {...icon} />}
            onClick={() => void navigate({ to: "/settings/forms", search: { kind: "lead" } })}
          >
            Forms for enquiries
          </Menu.Item>
          <Menu.Item leftSection={<IconChartBar {...icon} />} onClick={() => open({ report: true })}>
            What became of enquiries
          </Menu.Item>
          <Menu.Item leftSection={<IconMailForward {...icon} />} onClick={() => open({ reply: true })}>
            Automatic answer
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload {...icon} />}
            {...downloadOf(exportAddress("/export/leads.csv", { state: "all", ...listOnly(place) }))}
          >
            Export CSV
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload {...icon} />}
            {...downloadOf(exportAddress("/export/leads.xlsx", { state: "all", ...listOnly(place) }))}
          >
            Export Excel
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LinkButton to="/leads" search={{ ...place, add: true }} leftSection={<IconPlus {...icon} />}>
        Add lead
      </LinkButton>
    </>
  );
}
